/** What each reason code of a trace means: in a few words, in a clause, and what would have to change. The words are
 * those of the command line, so that both say the same of one decision. */

import type { Ledger } from "./ledger";
import type { RawTraceEntry } from "./raw";
import { figure, listing, plain } from "./words";

type Say = (ledger: Ledger, entry: RawTraceEntry) => string;

interface Code {
  brief: string;
  why: Say;
  change: Say;
}

const ADMITTED_AS: Record<string, string> = {
  mandatory: "its content is mandatory: no bundle is legal without it",
  required: "it is required: no bundle is legal without it",
  "preferred-greedy": "it was the best of what was left of its band and fitted",
  "discretionary-greedy": "it was the best of what was left of its band and fitted",
  "preferred-worth": "it is part of the fill that is worth most among those tried",
  "discretionary-worth": "it is part of the fill that is worth most among those tried",
};

const nothing: Say = () => "";
const say =
  (text: string): Say =>
  () =>
    text;

const gate =
  (words: string): Say =>
  (_, entry) =>
    entry.reason_detail ? `${words}: ${plain(entry.reason_detail)}` : words;

const GATE_CHANGE = say("no budget admits it: only a change of its source or of the task alters the verdict");

function admitted(ledger: Ledger, entry: RawTraceEntry): string {
  if (entry.pulled_in_by.length) {
    return `it was admitted because ${listing(entry.pulled_in_by.map((id) => ledger.name(id)))} cannot do without it`;
  }
  if (ledger.requiredByName(entry.candidate_id)) return "it was admitted because the request requires it by name";
  const known = Object.hasOwn(ADMITTED_AS, entry.reason_detail) ? ADMITTED_AS[entry.reason_detail] : undefined;
  return `it was admitted because ${known ?? plain(entry.reason_detail)}`;
}

function otherForm(ledger: Ledger, entry: RawTraceEntry): string {
  const holder = ledger.holder(entry.content_identity);
  const words = "another form of its content was admitted";
  return holder ? `${words}: ${ledger.name(holder.candidate_id)}` : words;
}

function blocked(ledger: Ledger, entry: RawTraceEntry): string {
  return `it cannot be in: ${blocker(ledger, entry)}`;
}

function blocker(ledger: Ledger, entry: RawTraceEntry): string {
  const held = new Map([[entry.content_identity, entry.candidate_id]]);
  for (const needed of entry.dependency_closure) {
    const found = ledger.entries.get(needed);
    if (!found) return `it needs ${ledger.name(needed)}, on which nothing was decided`;
    if (found.decision === "REJECTED_HARD") {
      return `it needs ${ledger.name(needed)}, and ${whyOf(ledger, found)}`;
    }
    const holder = ledger.holder(found.content_identity);
    if (holder && holder.candidate_id !== needed) {
      const other = ledger.name(holder.candidate_id);
      return `it needs ${ledger.name(needed)}, and another form of that content was admitted: ${other}`;
    }
    const first = held.get(found.content_identity);
    if (first !== undefined && first !== needed) {
      const other = ledger.name(first);
      return `it needs ${ledger.name(needed)}, another form of the content of ${other}, needed as well`;
    }
    held.set(found.content_identity, needed);
  }
  return "something it needs is not eligible, or has a content that another item holds";
}

function overBudget(ledger: Ledger, entry: RawTraceEntry): string {
  const { marginal_cost: cost, budget_before: left } = entry;
  if (cost <= left) return `it is over budget: no step of the policy had room for its ${ledger.amount(cost)}`;
  const what = entry.dependency_closure.length ? "with what it needs it" : "it";
  return `it is over budget: ${what} would have added ${ledger.amount(cost)}, and ${figure(left)} were left`;
}

const orByName = (first: string): string => `${first}; required by name, it comes before all that is optional`;

function moreBudget(ledger: Ledger, entry: RawTraceEntry): string {
  const missing = entry.marginal_cost - entry.budget_before;
  const more = missing > 0 ? `${ledger.amount(missing)} were missing: a larger budget may admit it` : "";
  return orByName(more || "a larger budget may admit it");
}

const isPointer = (ledger: Ledger, entry: RawTraceEntry): boolean =>
  ledger.policy === "compiler-policy-v2" &&
  entry.representation_id === "reference" &&
  !entry.dependency_closure.length;

function earnsNothing(ledger: Ledger, entry: RawTraceEntry): string {
  if (isPointer(ledger, entry)) return "it is a pointer, and what it points at is not in the bundle";
  const relevance = Number(entry.relevance.toPrecision(6));
  return `it adds too little: its relevance is ${relevance}, and it covers nothing that is not covered`;
}

function earnMore(ledger: Ledger, entry: RawTraceEntry): string {
  if (isPointer(ledger, entry)) return orByName("it would have to depend on what it points at");
  return orByName("it would have to be more relevant or cover something new");
}

/** Every reason code of a compilation, in the order of groups: what a larger budget could change first. */
const CODES: Record<string, Code> = {
  budget: { brief: "over budget", why: overBudget, change: moreBudget },
  "repair-drop": {
    brief: "taken out to fit",
    why: say("it was admitted and taken out again, because the bundle as rendered was over the budget"),
    change: say(orByName("a larger budget may keep it")),
  },
  "no-earn": { brief: "adds too little", why: earnsNothing, change: earnMore },
  "dependency-blocked": {
    brief: "needs what cannot be in",
    why: blocked,
    change: say("what is in its way would have to change"),
  },
  admitted: { brief: "in the bundle", why: admitted, change: nothing },
  scope_ineligible: { brief: "out of scope", why: gate("it is out of scope"), change: GATE_CHANGE },
  freshness_ineligible: { brief: "out of date", why: gate("it is out of date"), change: GATE_CHANGE },
  authority_ineligible: {
    brief: "without authority",
    why: gate("its source has no authority here"),
    change: GATE_CHANGE,
  },
  illegal_representation: {
    brief: "form below the floor",
    why: (_, entry) => `this form shows too little of its content: ${plain(entry.reason_detail)}`,
    change: say("a form of its content that shows more could be in"),
  },
  alternative_selected: {
    brief: "another form is in",
    why: otherForm,
    change: say("required by name, this form would be in, or there would be no bundle"),
  },
  undecided: {
    brief: "undecided",
    why: say("the compilation was refused before anything was decided on it"),
    change: say("what the refusal names has to be solved first"),
  },
  missing: {
    brief: "no such candidate",
    why: say("the request requires it by name, and no candidate has that id"),
    change: say("the name would have to be that of a candidate"),
  },
};

const ORDER = Object.keys(CODES);

function codeOf(code: string): Code {
  const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  if (known) return known;
  const why: Say = (_, entry) => `${plain(code)}: ${plain(entry.reason_detail)}`;
  return { brief: plain(code), why, change: nothing };
}

/** Place of a code among the groups; codes that nobody knows stand last. */
export function rankOf(code: string): number {
  const at = ORDER.indexOf(code);
  return at < 0 ? ORDER.length : at;
}

/** A reason code in a few words. */
export function briefOf(code: string): string {
  return codeOf(code).brief;
}

/** Why a candidate ended as it did, as a clause. */
export function whyOf(ledger: Ledger, entry: RawTraceEntry): string {
  return codeOf(entry.reason_code).why(ledger, entry);
}

/** What would have to change, as a clause; empty when nothing needs to. */
export function changeOf(ledger: Ledger, entry: RawTraceEntry): string {
  return codeOf(entry.reason_code).change(ledger, entry);
}
