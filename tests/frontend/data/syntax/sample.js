import fs, { readFile as read } from "node:fs";
import * as path from "path";
import "./side-effect.js";
export { one, two as three } from "./numbers.js";
export * from './all.js';
const { join } = require("./join");
const lazy = () => import("./lazy.js");

// Adds up.
function add(a, b) { return a + b; }

/**
 * A store.
 */
export default class Store extends Base {
  static count = 0;
  handle = (event) => {
    return event;
  };

  constructor(name) {
    super();
    this.reset = function () { return 1; };
  }

  // Reads.
  static async read(key) {
    const inner = 1;
    return inner;
  }
  get size() { return 0; }
  #secret() {}
}

export const LIMIT = 10, other = { a: 1 };
let arrow = async (x) => x * 2;
const api = {
  list() { return []; },
  find: function (id) { return id; },
  value: 3,
};

Store.prototype.close = function close() {};
exports.open = (x) => x;
module.exports.shut = function () {};
module.exports = api;

export function* walk() { yield 1; }

describe("things", () => {
  const hidden = 1;
  function helper() {}
});
