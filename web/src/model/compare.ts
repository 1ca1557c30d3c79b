/** Two answers side by side: what came in, what fell out, what changed its form, and the decision that did it. */

import type { Entry, View } from "./view";
import { sentence } from "./words";

export type Kind = "came in" | "fell out" | "other form" | "other cost";

export interface Change {
  content: string;
  name: string;
  kind: Kind;
  before: Entry[];
  after: Entry[];
  /** In which of the two answers the decision stands, and what it says. */
  side: "before" | "after" | null;
  code: string;
  words: string;
  /** Tokens after less tokens before. */
  tokens: number;
}

export interface Comparison {
  changes: Change[];
  same: number;
  /** Empty, or why the two cannot be compared. */
  problem: string;
}

const KINDS: readonly Kind[] = ["came in", "fell out", "other form", "other cost"];
const NEVER = { code: "unknown", words: "it was no candidate" };

/** Contents that differ, ascending by name within each kind. */
export function compare(before: View, after: View): Comparison {
  if (before.kind !== after.kind) {
    return { changes: [], same: 0, problem: "One is a bundle, the other a selection of records." };
  }
  const was = held(before);
  const now = held(after);
  const changes: Change[] = [];
  let same = 0;
  for (const content of new Set([...was.keys(), ...now.keys()])) {
    const change = changeOf(content, was.get(content) ?? [], now.get(content) ?? [], before, after);
    if (change) changes.push(change);
    else same += 1;
  }
  changes.sort((l, r) => KINDS.indexOf(l.kind) - KINDS.indexOf(r.kind) || (l.content < r.content ? -1 : 1));
  return { changes, same, problem: "" };
}

function held(view: View): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const item of view.items) {
    const forms = found.get(item.content);
    if (forms) forms.push(item);
    else found.set(item.content, [item]);
  }
  return found;
}

function changeOf(content: string, was: Entry[], now: Entry[], before: View, after: View): Change | null {
  const shown = (now[0] ?? was[0]) as Entry;
  const tokens = sum(now) - sum(was);
  const base = { content, name: shown.name, before: was, after: now, tokens };
  const ids = (entries: Entry[]) => entries.map((entry) => entry.id);
  if (was.length && now.length) {
    if (ids(was).sort().join("\n") === ids(now).sort().join("\n")) {
      if (!tokens) return null;
      return { ...base, kind: "other cost", side: null, code: "", words: "Its text or the counter is another." };
    }
    const first = before.absent(content, ids(now)) ?? NEVER;
    const later = first.code === "alternative_selected" ? (after.absent(content, ids(was)) ?? NEVER) : first;
    const side = later.code === first.code ? "before" : "after";
    return { ...base, kind: "other form", side, ...said(side === "before" ? first : later) };
  }
  if (now.length) {
    return { ...base, kind: "came in", side: "before", ...said(before.absent(content, ids(now)) ?? NEVER) };
  }
  return { ...base, kind: "fell out", side: "after", ...said(after.absent(content, ids(was)) ?? NEVER) };
}

const sum = (entries: readonly Entry[]) => entries.reduce((total, entry) => total + entry.tokens, 0);

const said = (found: { code: string; words: string }) => ({ code: found.code, words: sentence(found.words) });
