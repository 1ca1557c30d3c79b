/** Numbers, lists and foreign text as a person reads them. Foreign text is shown so that it can neither hide nor
 * reorder what stands beside it. */

import type { Unit } from "./raw";

const NOUNS: Record<Unit, string> = { tokens: "token", bytes4: "byte", words13: "word" };

/** `1,234`, the same in every locale. */
export function figure(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** `1 token`, `1,234 tokens`. */
export function amount(count: number, noun = "token"): string {
  return `${figure(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A number of units of a pricing in words. */
export function units(count: number, unit: Unit): string {
  return amount(count, NOUNS[unit]);
}

/** A ratio with at most two decimals; what is tiny and not nothing says so. */
export function ratio(value: number): string {
  if (value > 0 && value < 0.005) return "<0.01";
  return value.toFixed(2);
}

/** `a`, `a and b`, `a, b and 7 more`. */
export function listing(names: readonly string[], limit = 5, joint = "and"): string {
  if (names.length > limit) return `${names.slice(0, limit).join(", ")} and ${figure(names.length - limit)} more`;
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${joint} ${names[names.length - 1]}`;
}

/** Signs that have no picture of their own, or move, hide or reorder others. */
const UNSEEN = /[\p{C}\p{Z}]/gu;

/** Foreign text on one line, each unseen sign as its escape. */
export function plain(text: string): string {
  return text.replace(UNSEEN, (sign) => (sign === " " ? sign : escaped(sign)));
}

function escaped(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  if (sign === "\n") return "\\n";
  if (sign === "\r") return "\\r";
  if (sign === "\t") return "\\t";
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Signs that are marked where a text is shown as delivered: all unseen ones but blanks, tabs and line feeds. */
const MISLEADING = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text in parts: as it stands, and misleading signs by their names (`U+202E`). */
export function marked(text: string): (string | { sign: string })[] {
  const parts: (string | { sign: string })[] = [];
  let from = 0;
  for (const found of text.matchAll(MISLEADING)) {
    if (found.index > from) parts.push(text.slice(from, found.index));
    const code = found[0].codePointAt(0) ?? 0;
    parts.push({ sign: `U+${code.toString(16).toUpperCase().padStart(4, "0")}` });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** A capital first and a full stop last. */
export function sentence(text: string): string {
  if (!text) return "";
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

/** The last part of a path, and what stands before it. */
export function split(path: string): { base: string; folder: string } {
  const at = path.replace(/\/+$/, "").lastIndexOf("/");
  return { base: path.slice(at + 1), folder: path.slice(0, at + 1) };
}
