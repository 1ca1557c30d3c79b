/** The answers of contextc as they stand in JSON, as far as the page reads them. */

export type Unit = "tokens" | "bytes4" | "words13";

export interface RawPricing {
  counter: string;
  renderer: string;
  unit: Unit;
  base: number;
  empty: number;
  items: Record<string, number>;
}

export interface RawTraceEntry {
  candidate_id: string;
  content_identity: string;
  representation_id: string;
  decision: string;
  reason_code: string;
  reason_detail: string;
  priority_band: string;
  relevance: number;
  marginal_cost: number;
  dependency_closure: string[];
  pulled_in_by: string[];
  budget_before: number;
  budget_after: number;
  position: number | null;
}

export interface RawNote {
  path: string;
  form: string;
  title: string;
  why: string[];
  remark: string;
}

export interface RawItem {
  id: string;
  content: string;
  kind: string;
  token_count: number;
}

export interface RawFailure {
  reason: string;
  blocking_ids: string[];
  diagnostic: string;
  budget_total: number;
}

export interface RawObstacle {
  candidate_id: string;
  path: string[];
  at: string;
  gate: string;
  reason: string;
  other: string | null;
}

export interface RawWitness {
  kind: string;
  ids: string[];
  obstacles: RawObstacle[];
  least_budget: number | null;
  bundle_ids: string[];
  lower_bound: number | null;
  cap: string | null;
}

/** `contextc.answer.v1`, and the documents of `bundle compile`, which have no notes, no source and no fingerprint. */
export interface RawAnswer {
  schema_version: string;
  request: { request_id: string; task_id: string; usable_token_budget: number; required_ids: string[] };
  policy: { policy_version: string };
  pricing: RawPricing;
  result: {
    success: boolean;
    policy_version: string;
    bundle_tokens: number | null;
    failure: RawFailure | null;
    trace: { entries: RawTraceEntry[] };
  };
  bundle: { items: RawItem[] } | null;
  witness: RawWitness | null;
  notes?: Record<string, RawNote>;
  left_out?: { path: string; reason: string; detail: string }[];
  fingerprint?: string;
  source?: string;
  text?: string;
  rendered_text?: string | null;
}

export interface RawDiscovery {
  selector: string;
  reason: string;
  via?: string;
  edge?: string;
  depth: number;
  confidence: number;
  weight: number;
}

export interface RawSelected {
  uri: string;
  kind: string;
  title?: string;
  provenance: { path: string };
  tier: string;
  relevance: number;
  confidence: number;
  discovered_by: RawDiscovery[];
  depth: number;
  cost_tokens: number;
  status?: string;
  required: boolean;
  facts?: Record<string, string>;
}

export interface RawExcluded {
  uri: string;
  kind?: string;
  tier: string;
  reason: string;
  detail: string;
  cost_tokens: number;
  relevance: number;
}

/** The answer of `devcontext.compile`. */
export interface RawContext {
  schema: number;
  fingerprint: string;
  git: { branch?: string; head?: string; working_tree: string };
  seeds: { uri: string; kind: string; from: string; resolved?: string }[];
  selected: RawSelected[];
  excluded: RawExcluded[];
  deduplicated: { kept: string; dropped: string[]; key: string; detail: string; paths: number }[];
  conflicts: { current: string; against: string; kind: string; detail: string }[];
  budget: {
    limit_tokens: number;
    used_tokens: number;
    required_tokens: number;
    remaining_tokens: number;
    over_budget: boolean;
    tiers: { tier: string; meaning: string; selected: number; excluded: number; tokens: number; required: number }[];
  };
  diagnostics: { severity: string; code: string; path?: string; message: string }[];
}
