/** Bands of a bundle and tiers of a repository's records, with the hue that stands for each. */

import type { Band, Hue } from "./view";
import { plain } from "./words";

function table(rows: readonly (readonly [string, string, Hue, string])[]): Map<string, Band> {
  return new Map(rows.map(([key, label, hue, meaning]) => [key, { key, label, hue, meaning }]));
}

export const BANDS = table([
  ["MANDATORY", "Mandatory", "a", "No bundle is legal without it"],
  ["REQUIRED", "Required", "b", "Asked for by name; no bundle is legal without it"],
  ["PREFERRED", "Preferred", "c", "Likely to be needed"],
  ["DISCRETIONARY", "Discretionary", "d", "May help; fills what is left"],
]);

export const FRAME: Band = {
  key: "frame",
  label: "Frame",
  hue: "frame",
  meaning: "Headings and marks around the items",
};

export const TIERS = table([
  ["task", "Task", "a", ""],
  ["governance", "Governance", "b", ""],
  ["source", "Source", "c", ""],
  ["decision", "Decision", "d", ""],
  ["knowledge", "Knowledge", "e", ""],
  ["history", "History", "f", ""],
]);

/** A band by its name; one that nobody knows is shown under its own name. */
export function bandOf(known: Map<string, Band>, key: string): Band {
  return known.get(key) ?? { key, label: plain(key), hue: "f", meaning: "" };
}
