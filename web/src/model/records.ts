/** A view of the answer of `devcontext compile`: a repository's own records in tiers. */

import { bandOf, TIERS } from "./bands";
import { lazy } from "./bundle";
import type { RawContext, RawDiscovery, RawExcluded, RawSelected } from "./raw";
import { recordsGraph, shortName } from "./records-graph";
import type { Band, Entry, Explanation, Remark, View } from "./view";
import { amount, figure, plain, ratio, sentence } from "./words";

const BRIEF: Record<string, string> = {
  budget: "over budget",
  relevance: "not relevant enough",
  depth: "too far away",
  stale: "out of date",
  superseded: "superseded",
  unresolved: "could not be read",
};

export function recordsView(answer: RawContext): View {
  const meanings = new Map(answer.budget.tiers.map((tier) => [tier.tier, tier.meaning]));
  const tier = (key: string): Band => ({ ...bandOf(TIERS, key), meaning: plain(meanings.get(key) ?? "") });
  const selected = new Map(answer.selected.map((row) => [row.uri, row]));
  const items = answer.selected.map((row, at) => itemOf(row, at, tier(row.tier)));
  const out = answer.excluded.map((row, at) => outOf(row, at, tier(row.tier)));
  const excluded = new Map(answer.excluded.map((row, at) => [outId(at), row]));
  const byId = new Map([...items, ...out].map((entry) => [entry.id, entry]));
  return {
    kind: "records",
    title: answer.seeds.map((seed) => plain(seed.from === "intent" ? seed.uri : shortName(seed.uri))).join(", "),
    facts: factsOf(answer),
    fingerprint: answer.fingerprint,
    budget: budgetOf(answer, tier),
    items,
    out,
    outForms: out,
    reasons: reasonsOf(out),
    text: "",
    spans: [],
    refusal: null,
    remarks: remarksOf(answer),
    entry: (id) => byId.get(id),
    explain: (entry) => explain(entry, selected.get(entry.id), excluded.get(entry.id), answer),
    graph: lazy(() => recordsGraph(answer, items)),
    absent: (content) => absent(out.find((entry) => entry.content === content)),
  };
}

const outId = (at: number) => `excluded:${at}`;

function factsOf(answer: RawContext): { label: string; value: string }[] {
  const { branch, head, working_tree: tree } = answer.git;
  const facts = [
    { label: "Branch", value: branch ?? "" },
    { label: "Commit", value: (head ?? "").slice(0, 10) },
    { label: "Working tree", value: tree },
    { label: "Folded", value: answer.deduplicated.length ? amount(answer.deduplicated.length, "duplicate") : "" },
  ];
  return facts.filter((fact) => fact.value).map((fact) => ({ ...fact, value: plain(fact.value) }));
}

function budgetOf(answer: RawContext, tier: (key: string) => Band): View["budget"] {
  const { limit_tokens: limit, used_tokens: used, required_tokens: required } = answer.budget;
  const forced = new Map<string, number>();
  for (const row of answer.selected) {
    if (row.required) forced.set(row.tier, (forced.get(row.tier) ?? 0) + row.cost_tokens);
  }
  return {
    limit,
    used,
    required,
    left: limit - used,
    counter: "four bytes a token",
    segments: answer.budget.tiers
      .filter((row) => row.selected)
      .map((row) => ({
        band: tier(row.tier),
        tokens: row.tokens,
        required: forced.get(row.tier) ?? 0,
        count: row.selected,
      })),
  };
}

function itemOf(row: RawSelected, position: number, band: Band): Entry {
  const found = row.discovered_by[0];
  return {
    id: row.uri,
    content: row.uri,
    name: plain(shortName(row.uri)),
    title: plain(row.title ?? ""),
    form: plain(row.kind),
    band,
    tokens: row.cost_tokens,
    relevance: row.relevance,
    position,
    required: row.required,
    code: found?.selector ?? "selected",
    brief: "selected",
    line: plain(row.title ?? (found ? wayInWords(found) : "")),
  };
}

function outOf(row: RawExcluded, at: number, band: Band): Entry {
  return {
    id: outId(at),
    content: row.uri,
    name: plain(shortName(row.uri)),
    title: "",
    form: plain(row.kind ?? ""),
    band,
    tokens: row.cost_tokens,
    relevance: row.relevance,
    position: null,
    required: false,
    code: row.reason,
    brief: briefOf(row.reason),
    line: sentence(plain(row.detail)).replace(/\.$/, ""),
  };
}

function briefOf(reason: string): string {
  return (Object.hasOwn(BRIEF, reason) ? BRIEF[reason] : undefined) ?? plain(reason);
}

function reasonsOf(out: readonly Entry[]): View["reasons"] {
  const order = Object.keys(BRIEF);
  const found = new Map(out.map((entry) => [entry.code, { code: entry.code, brief: entry.brief }]));
  const rank = (code: string) => (order.indexOf(code) + order.length + 1) % (order.length + 1);
  return [...found.values()].sort((l, r) => rank(l.code) - rank(r.code));
}

function remarksOf(answer: RawContext): Remark[] {
  const remarks: Remark[] = answer.diagnostics.map((found) => ({
    severity: found.severity === "error" || found.severity === "warning" ? found.severity : "info",
    text: plain(found.path ? `${found.path}: ${found.message}` : found.message),
  }));
  const { budget } = answer;
  if (budget.over_budget) {
    const over = `${amount(budget.required_tokens)} are required, and the budget is ${figure(budget.limit_tokens)}.`;
    remarks.unshift({ severity: "error", text: `Over budget: ${over} Give at least as many, or ask for less.` });
  }
  const conflicts = answer.conflicts.map((found): Remark => {
    const pair = `${shortName(found.current)} stands against ${shortName(found.against)}`;
    return { severity: "warning", text: plain(`${pair}: ${found.detail}`) };
  });
  return [...remarks, ...conflicts];
}

/** One way in which something was found. */
export function wayInWords(found: RawDiscovery): string {
  const edge = found.edge ? ` (${found.edge})` : "";
  const via = found.via ? `, from ${shortName(found.via)}` : "";
  return `${found.selector.replaceAll("_", " ")}${edge}: ${found.reason}${via}`;
}

function explain(
  entry: Entry,
  row: RawSelected | undefined,
  out: RawExcluded | undefined,
  answer: RawContext,
): Explanation {
  if (!row) {
    return {
      standing: "Not selected",
      sentences: [sentence(entry.line)],
      found: [],
      facts: [
        { label: "Identifier", value: plain(out?.uri ?? entry.content) },
        { label: "Tier", value: entry.band?.label ?? "" },
        { label: "Relevance", value: ratio(entry.relevance ?? 0) },
        { label: "Would cost", value: amount(entry.tokens) },
      ],
      forms: [],
      links: [],
    };
  }
  const folded = answer.deduplicated.filter((found) => found.kept === row.uri && found.dropped.length);
  const facts = [
    { label: "Identifier", value: row.uri },
    { label: "File", value: row.provenance.path },
    { label: "Status", value: row.status ?? "" },
    { label: "Tier", value: entry.band?.label ?? "" },
    { label: "Relevance", value: ratio(row.relevance) },
    { label: "Confidence", value: ratio(row.confidence) },
    { label: "Cost", value: amount(row.cost_tokens) },
    ...Object.entries(row.facts ?? {}).map(([label, value]) => ({ label, value })),
    ...folded.map((found) => ({ label: "Stands for", value: found.dropped.join(", ") })),
  ];
  return {
    standing: `${(entry.position ?? 0) + 1} of ${answer.selected.length} selected${row.required ? ", required" : ""}`,
    sentences: [
      row.depth
        ? sentence(`it is ${amount(row.depth, "step")} away from what was asked for`)
        : "It was found without following a relation.",
    ],
    found: row.discovered_by.map((found) => {
      const steps = found.depth ? `, ${amount(found.depth, "step")} away` : "";
      return sentence(plain(`${wayInWords(found)}${steps}, weight ${ratio(found.weight)}`));
    }),
    facts: facts.filter((fact) => fact.value).map((fact) => ({ label: plain(fact.label), value: plain(fact.value) })),
    forms: [],
    links: [],
  };
}

function absent(entry: Entry | undefined): { code: string; words: string } | null {
  return entry ? { code: entry.code, words: `${entry.brief}: ${entry.line}` } : null;
}
