/** How each record was reached: from what the request names, along relations, or by a selector of its own. */

import type { RawContext, RawDiscovery } from "./raw";
import type { Entry, Graph, GraphEdge, GraphNode } from "./view";
import { plain } from "./words";

const REQUEST = "seed:request";
const ITEMS = 80;

/** What a way that starts at the request is called. */
const SELECTORS: Record<string, readonly [string, string]> = {
  seed: ["Named in the request", ""],
  scope_path: ["Paths of the work", "it lies under a path of the work"],
  contract: ["Contracts", "its contract watches a path of the work"],
  governance: ["Always in force", "whatever the work"],
  session_state: ["Session", "left by earlier sessions"],
  intent_match: ["Words of the intent", "it holds words of the intent"],
  relation: ["Relations", ""],
};

/** An identifier without its scheme: `issue/I0001`. */
export function shortName(uri: string): string {
  return uri.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/)?/i, "");
}

export function recordsGraph(answer: RawContext, items: readonly Entry[]): Graph {
  const drawn = items.slice(0, ITEMS);
  const rows = new Map(answer.selected.map((row) => [row.uri, row]));
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  const request = { id: REQUEST, label: "The request", detail: "", kind: "seed", hue: null, entry: null } as const;
  nodes.set(REQUEST, request);
  for (const item of drawn) nodes.set(item.id, nodeOf(item));
  const link = (from: string, to: string, label: string) => {
    if (from !== to && !edges.has(`${from}\n${to}`)) edges.set(`${from}\n${to}`, { from, to, label });
  };
  for (const item of drawn) {
    const row = rows.get(item.id);
    // The nearest ways only: the longer ones are told with the entry.
    for (const found of row?.discovered_by.filter((way) => way.depth <= row.depth) ?? []) {
      const from = sourceOf(found, nodes);
      if (nodes.get(from)?.kind === "way") link(REQUEST, from, "");
      link(from, item.id, plain(found.reason));
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], hidden: items.length - drawn.length };
}

function nodeOf(item: Entry): GraphNode {
  const detail = item.title || item.form;
  return { id: item.id, label: item.name, detail, kind: "item", hue: item.band?.hue ?? null, entry: item.id };
}

/** The node that a way starts at; made where there is none yet. */
function sourceOf(found: RawDiscovery, nodes: Map<string, GraphNode>): string {
  if (found.via !== undefined && nodes.has(found.via)) return found.via;
  const known = Object.hasOwn(SELECTORS, found.selector) ? SELECTORS[found.selector] : undefined;
  const [label, detail] = known ?? [plain(found.selector), ""];
  const id = `way:${found.selector}`;
  if (!nodes.has(id)) nodes.set(id, { id, label, detail, kind: "way", hue: null, entry: null });
  return id;
}
