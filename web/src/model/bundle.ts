/** A view of the answer of `compile`, and of the documents of `bundle compile`. */

import { BANDS, bandOf, FRAME } from "./bands";
import { bundleGraph } from "./bundle-graph";
import { Ledger } from "./ledger";
import { tokensOf } from "./pricing";
import type { RawAnswer, RawTraceEntry } from "./raw";
import { briefOf, changeOf, rankOf, whyOf } from "./reasons";
import { refusalOf } from "./refusal";
import { spansOf } from "./spans";
import type { Budget, Entry, Explanation, Fact, Reason, Refusal, Segment, View } from "./view";
import { amount, figure, plain, ratio, sentence } from "./words";

const UNREAD = "unread:";
const STRANDED = "stranded";

export function bundleView(answer: RawAnswer): View {
  const ledger = new Ledger(answer);
  const text = answer.text ?? answer.rendered_text ?? "";
  const items = ledger.items.map((entry) => entryOf(ledger, entry));
  const { spans, title } = spansOf(text, items.map((item) => item.id));
  const unread = unreadOf(answer);
  const outForms = [...ledger.entries.values()]
    .filter((entry) => entry.position === null)
    .sort(before)
    .map((entry) => entryOf(ledger, entry));
  const byId = new Map([...items, ...outForms, ...unread].map((entry) => [entry.id, entry]));
  const nearest = nearestForms(ledger).map((entry) => byId.get(entry.candidate_id) as Entry);
  const graph = lazy(() => bundleGraph(ledger, items, title));
  return {
    kind: "bundle",
    title: plain(title),
    facts: factsOf(answer),
    fingerprint: answer.fingerprint ?? "",
    budget: budgetOf(ledger, items),
    items,
    out: [...nearest, ...unread],
    outForms: [...outForms, ...unread],
    reasons: reasonsOf([...outForms, ...unread]),
    text,
    spans,
    refusal: refusal(ledger, byId),
    remarks: [],
    entry: (id) => byId.get(id),
    explain: (entry) => explain(ledger, entry, byId),
    graph,
    absent: (content, ids) => absent(ledger, content, ids),
  };
}

/** Computed at first use. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function factsOf(answer: RawAnswer): Fact[] {
  const facts = [
    { label: "Source", value: shortSource(answer.source ?? "") },
    { label: "Policy", value: answer.result.policy_version },
    { label: "Counted with", value: answer.pricing.counter },
    { label: "Written as", value: answer.pricing.renderer },
  ];
  return facts.filter((fact) => fact.value).map((fact) => ({ ...fact, value: plain(fact.value) }));
}

/** `commit 2ac89889f4`: enough of an id for a person. */
function shortSource(source: string): string {
  return source.replace(/\b[0-9a-f]{40,64}\b/g, (id) => id.slice(0, 10));
}

function budgetOf(ledger: Ledger, items: readonly Entry[]): Budget {
  const { pricing, request, result } = ledger.answer;
  const segments = new Map<string, Segment>();
  for (const band of BANDS.values()) segments.set(band.key, { band, tokens: 0, required: 0, count: 0 });
  for (const item of items) {
    const band = item.band ?? FRAME;
    const segment = segments.get(band.key) ?? { band, tokens: 0, required: 0, count: 0 };
    segment.tokens += item.tokens;
    segment.required += item.required ? item.tokens : 0;
    segment.count += 1;
    segments.set(band.key, segment);
  }
  const frame = result.success ? tokensOf(items.length ? pricing.base : pricing.empty, pricing.unit) : 0;
  const used = result.bundle_tokens ?? 0;
  return {
    limit: request.usable_token_budget,
    used,
    required: items.reduce((sum, item) => sum + (item.required ? item.tokens : 0), 0),
    left: request.usable_token_budget - used,
    counter: plain(pricing.counter),
    segments: [
      ...[...segments.values()].filter((segment) => segment.count),
      ...(frame ? [{ band: FRAME, tokens: frame, required: 0, count: 0 }] : []),
    ],
  };
}

function entryOf(ledger: Ledger, entry: RawTraceEntry): Entry {
  const note = ledger.note(entry.candidate_id);
  const isIn = entry.position !== null;
  const unit = ledger.answer.pricing.unit;
  const price = ledger.price(entry.candidate_id) ?? tokensOf(entry.marginal_cost, unit);
  const tokens = isIn || !entry.marginal_cost ? price : tokensOf(entry.marginal_cost, unit);
  return {
    id: entry.candidate_id,
    content: entry.content_identity,
    name: ledger.place(entry.candidate_id),
    title: plain(note?.title ?? ""),
    form: plain(entry.representation_id),
    band: bandOf(BANDS, entry.priority_band),
    tokens,
    relevance: entry.relevance,
    position: entry.position,
    required: isIn && ledger.isRequired(entry.candidate_id),
    ...decision(ledger, entry),
  };
}

function decision(ledger: Ledger, entry: RawTraceEntry): Pick<Entry, "code" | "brief" | "line"> {
  if (entry.position === null && entry.decision === "ADMITTED") {
    return { code: STRANDED, brief: "admitted, but no bundle was made", line: "" };
  }
  return { code: entry.reason_code, brief: briefOf(entry.reason_code), line: lineOf(ledger, entry) };
}

/** One line below the name: why an item was found, or what keeps the rest out. */
function lineOf(ledger: Ledger, entry: RawTraceEntry): string {
  if (entry.position !== null) {
    return sentence(plain(ledger.note(entry.candidate_id)?.why[0] ?? whyOf(ledger, entry))).replace(/\.$/, "");
  }
  if (entry.decision === "REJECTED_HARD" && entry.reason_detail) return plain(entry.reason_detail);
  if (entry.reason_code === "budget" && entry.marginal_cost > entry.budget_before) {
    return `Would add ${ledger.amount(entry.marginal_cost)}; ${figure(entry.budget_before)} were left`;
  }
  return sentence(whyOf(ledger, entry)).replace(/\.$/, "");
}

/** The order within a group: what matters most first. */
function before(left: RawTraceEntry, right: RawTraceEntry): number {
  return (
    rankOf(left.reason_code) - rankOf(right.reason_code) ||
    right.relevance - left.relevance ||
    right.marginal_cost - left.marginal_cost ||
    (left.candidate_id < right.candidate_id ? -1 : 1)
  );
}

/** For each content without an item the form that came nearest to being in. */
function nearestForms(ledger: Ledger): RawTraceEntry[] {
  const found: RawTraceEntry[] = [];
  for (const forms of ledger.forms.values()) {
    if (forms.some((entry) => entry.position !== null)) continue;
    const byCost = (l: RawTraceEntry, r: RawTraceEntry) =>
      rankOf(l.reason_code) - rankOf(r.reason_code) ||
      r.relevance - l.relevance ||
      l.marginal_cost - r.marginal_cost ||
      (l.candidate_id < r.candidate_id ? -1 : 1);
    found.push(forms.reduce((best, entry) => (byCost(entry, best) < 0 ? entry : best)));
  }
  return found.sort(before);
}

function unreadOf(answer: RawAnswer): Entry[] {
  return (answer.left_out ?? []).map((file, at) => ({
    id: `${UNREAD}${at}`,
    content: file.path,
    name: plain(file.path),
    title: "",
    form: "",
    band: null,
    tokens: 0,
    relevance: null,
    position: null,
    required: false,
    code: `${UNREAD}${file.reason}`,
    brief: `not read: ${plain(file.reason)}`,
    line: plain(file.detail),
  }));
}

function reasonsOf(entries: readonly Entry[]): Reason[] {
  const found = new Map(entries.map((entry) => [entry.code, { code: entry.code, brief: entry.brief }]));
  const rank = (code: string) => (code.startsWith(UNREAD) ? 1000 : rankOf(code));
  return [...found.values()].sort((l, r) => rank(l.code) - rank(r.code) || (l.code < r.code ? -1 : 1));
}

function refusal(ledger: Ledger, byId: Map<string, Entry>): Refusal | null {
  const { failure } = ledger.answer.result;
  if (!failure) return null;
  const told = refusalOf(ledger, failure, ledger.answer.witness);
  // What an entry costs in the cheapest bundle is its own price, whatever was decided on it.
  const needs = told.needs.flatMap((id) => {
    const entry = byId.get(id);
    return entry ? [{ ...entry, tokens: ledger.price(id) ?? entry.tokens }] : [];
  });
  return { ...told, needs };
}

function explain(ledger: Ledger, entry: Entry, byId: Map<string, Entry>): Explanation {
  const raw = ledger.entries.get(entry.id);
  if (!raw) return unreadExplained(entry);
  const note = ledger.note(entry.id);
  const why = sentence(whyOf(ledger, raw));
  const isIn = raw.position !== null;
  const stranded = entry.code === STRANDED;
  const standing = stranded
    ? "It had been admitted, but no bundle was made"
    : isIn
      ? `Item ${(raw.position ?? 0) + 1} of ${ledger.items.length} in the bundle`
      : raw.decision === "UNDECIDED"
        ? "There is no bundle"
        : "Not in the bundle";
  const last = isIn ? spent(ledger, raw) : sentence(changeOf(ledger, raw));
  const forms = (ledger.forms.get(raw.content_identity) ?? []).filter((other) => other !== raw);
  const facts = [
    { label: "Candidate", value: plain(entry.id) },
    { label: "Band", value: entry.band?.label ?? "" },
    { label: "Relevance", value: ratio(raw.relevance) },
    { label: isIn ? "Cost" : "Would cost", value: amount(entry.tokens) },
    { label: "Remark", value: plain(note?.remark ?? "") },
  ];
  return {
    standing,
    sentences: [why, last].filter(Boolean),
    found: (note?.why ?? []).map((line) => sentence(plain(line))),
    facts: facts.filter((fact) => fact.value),
    forms: forms.map((other) => byId.get(other.candidate_id) as Entry).sort((l, r) => r.tokens - l.tokens),
    links: linksOf(ledger, raw),
  };
}

function linksOf(ledger: Ledger, raw: RawTraceEntry): Explanation["links"] {
  const brought = ledger.items.filter((other) => other.pulled_in_by.includes(raw.candidate_id));
  const links = [
    { label: "Needs", ids: raw.dependency_closure },
    { label: "Needed by", ids: raw.pulled_in_by },
    { label: "Brought in", ids: brought.map((other) => other.candidate_id) },
  ];
  return links.filter((link) => link.ids.length);
}

function unreadExplained(entry: Entry): Explanation {
  return {
    standing: "Not read",
    sentences: [sentence(`the file is no candidate (${entry.brief.replace("not read: ", "")})`), sentence(entry.line)],
    found: [],
    facts: [],
    forms: [],
    links: [],
  };
}

function spent(ledger: Ledger, entry: RawTraceEntry): string {
  const cost = `It costs ${ledger.amount(entry.marginal_cost)}`;
  if (!entry.budget_before && !entry.budget_after) return `${cost}.`;
  const step = entry.budget_before - entry.budget_after;
  if (!step) return `${cost}; ${figure(entry.budget_before)} were left before.`;
  const together = step === entry.marginal_cost ? "" : `, and with what was admitted in the same step ${figure(step)}`;
  return `${cost}${together}; ${figure(entry.budget_before)} were left before and ${figure(entry.budget_after)} after.`;
}

function absent(ledger: Ledger, content: string, ids: readonly string[]): { code: string; words: string } | null {
  const named = ids.flatMap((id) => ledger.entries.get(id) ?? []);
  const entries = named.length ? named : (ledger.forms.get(content) ?? []);
  const out = entries.find((entry) => entry.position === null);
  if (!out) return null;
  const words =
    out.decision === "ADMITTED" ? "it had been admitted, but no bundle was made" : whyOf(ledger, out);
  return { code: out.reason_code, words };
}

