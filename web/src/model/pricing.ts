/** Tokens of units, by the rule that the compiler uses. */

import type { RawPricing, Unit } from "./raw";

/** Tokens that `count` units cost. */
export function tokensOf(count: number, unit: Unit): number {
  if (unit === "tokens") return count;
  if (unit === "bytes4") return Math.max(1, Math.ceil(count / 4));
  return count === 0 ? 0 : Math.max(1, halfEven(count * 13, 10));
}

function halfEven(numerator: number, denominator: number): number {
  const whole = Math.floor(numerator / denominator);
  const twice = 2 * (numerator - whole * denominator);
  return twice > denominator || (twice === denominator && whole % 2 === 1) ? whole + 1 : whole;
}

/** What a candidate costs in the rendering, in tokens; null when it was not priced. */
export function priceOf(id: string, pricing: RawPricing): number | null {
  const count = Object.hasOwn(pricing.items, id) ? pricing.items[id] : undefined;
  return count === undefined ? null : tokensOf(count, pricing.unit);
}
