import type { A, B } from "./types";
import def, * as all from "pkg";
import legacy = require("legacy");
export type { C } from "./c";

/** What can be sold. */
export interface Sellable<T> extends Base {
  price: number;
  sell(count: number): T;
}

export type Id = string | number;

export enum Colour {
  Red,
  Green = "g",
}

declare module "ambient" {
  export function ambient(x: number): string;
}

namespace Shop.Inner {
  export const inside = 1;
}

export abstract class Cart implements Sellable<void> {
  private items: Id[] = [];
  static readonly MAX = 5;

  constructor(private readonly owner: string) {
    super();
  }

  // Overloads.
  add(item: string): void;
  add(item: number): void;
  @log()
  add(item: any): void {
    this.items.push(item);
  }
  abstract total(): number;
  onClick = (event: Event): void => {};
}

@Component({ selector: "x" })
export class Widget {
  @Input() name: string;
}

export const make = <T,>(x: T): T => x;
export declare function declared(a: string): void;
function over(a: string): void;
function over(a: any) {}
