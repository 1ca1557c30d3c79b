/** What the page shows, whichever kind of answer it comes from. Made once for an answer; nothing in it changes. */

/** How a segment of the budget is coloured: one of six hues, the frame, or nothing. */
export type Hue = "a" | "b" | "c" | "d" | "e" | "f" | "frame";

/** A band of a bundle or a tier of a repository's records. */
export interface Band {
  key: string;
  label: string;
  hue: Hue;
  meaning: string;
}

export interface Segment {
  band: Band;
  tokens: number;
  required: number;
  count: number;
}

export interface Budget {
  limit: number;
  used: number;
  required: number;
  /** Below 0 when what is required alone costs more than the limit. */
  left: number;
  counter: string;
  segments: Segment[];
}

/** One thing that was decided on: a form of a content, an object of a layer, or a file that was not read. */
export interface Entry {
  id: string;
  /** What its forms share. */
  content: string;
  /** What a person calls it: a path or an identifier, safe to show. */
  name: string;
  title: string;
  form: string;
  band: Band | null;
  /** What it costs, or would cost with what it needs, in tokens. */
  tokens: number;
  relevance: number | null;
  /** Place in the bundle from 0; null when it is not in. */
  position: number | null;
  required: boolean;
  /** The decision in a word, its name for people, and one line. */
  code: string;
  brief: string;
  line: string;
}

/** A group of what was left out, in the order in which a person wants to know. */
export interface Reason {
  code: string;
  brief: string;
}

export interface Fact {
  label: string;
  value: string;
}

/** Everything there is to say on one entry. */
export interface Explanation {
  standing: string;
  sentences: string[];
  found: string[];
  facts: Fact[];
  /** Other forms of its content, by id. */
  forms: Entry[];
  /** Ids of what it needs, what it brought in, what needed it: entries of the same view. */
  links: { label: string; ids: string[] }[];
}

/** A stretch of the delivered text; `item` is the id of the item it belongs to, null for the frame. */
export interface Span {
  item: string | null;
  start: number;
  end: number;
  /** The quoted part within the stretch; equal where nothing is quoted. */
  bodyStart: number;
  bodyEnd: number;
}

export interface GraphNode {
  id: string;
  label: string;
  detail: string;
  kind: "seed" | "way" | "item";
  hue: Hue | null;
  /** The entry that the node stands for, if it is one. */
  entry: string | null;
}

export interface GraphEdge {
  from: string;
  to: string;
  label: string;
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Items that are not drawn, because more would not be readable. */
  hidden: number;
}

export interface Refusal {
  headline: string;
  /** What would be enough, in tokens; null when no budget helps or none is known. */
  enough: number | null;
  lines: string[];
  hints: string[];
  /** Entries of the cheapest legal bundle, the largest first. */
  needs: Entry[];
}

export interface Remark {
  severity: "info" | "warning" | "error";
  text: string;
}

export interface View {
  kind: "bundle" | "records";
  /** The task in words where the answer holds it. */
  title: string;
  facts: Fact[];
  fingerprint: string;
  budget: Budget;
  items: Entry[];
  /** One entry for each content that is not in: by the form that came nearest. */
  out: Entry[];
  /** Every form that is not in. */
  outForms: Entry[];
  reasons: Reason[];
  text: string;
  spans: Span[];
  refusal: Refusal | null;
  remarks: Remark[];
  entry(id: string): Entry | undefined;
  explain(entry: Entry): Explanation;
  graph(): Graph;
  /** Why a content is not in: code and words; null when it was never looked at. */
  absent(content: string, ids: readonly string[]): { code: string; words: string } | null;
}
