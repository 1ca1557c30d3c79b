/** How each item of a bundle was reached: from the task by its words, names and paths, from the rules and decisions in
 * force, and from other items that cannot do without it. */

import type { Ledger } from "./ledger";
import type { Entry, Graph, GraphEdge, GraphNode } from "./view";
import { plain } from "./words";

/** Items that are drawn, and words that have a node of their own. */
const ITEMS = 60;
const WORDS = 14;

const TASK = "seed:task";
const WORD = "way:word:";

interface Way {
  id: string;
  label: string;
  detail: string;
  /** What the edge to the item says. */
  edge: string;
  fromTask: boolean;
}

export function bundleGraph(ledger: Ledger, items: readonly Entry[], title: string): Graph {
  const drawn = drawnOf(items);
  const inside = new Set(drawn.map((item) => item.id));
  const byPath = new Map(drawn.map((item) => [item.content, item.id]));
  const task: GraphNode = { id: TASK, label: "The task", detail: plain(title), kind: "seed", hue: null, entry: null };
  const nodes = new Map<string, GraphNode>([[TASK, task]]);
  const edges = new Map<string, GraphEdge>();
  const link = (from: string, to: string, label: string) => {
    if (from !== to && !edges.has(`${from}\n${to}`)) edges.set(`${from}\n${to}`, { from, to, label });
  };
  const ways = drawn.map((item) => waysOf(ledger.note(item.id)?.why ?? [], byPath));
  const few = commonWords(ways);
  drawn.forEach((item, at) => {
    nodes.set(item.id, itemNode(item));
    for (const way of merged(ways[at] ?? [], few)) {
      if (!nodes.has(way.id) && !inside.has(way.id)) {
        nodes.set(way.id, { ...way, kind: way.fromTask ? "way" : "seed", hue: null, entry: null });
      }
      if (way.fromTask) link(TASK, way.id, "");
      link(way.id, item.id, way.edge);
    }
    for (const other of ledger.entries.get(item.id)?.pulled_in_by ?? []) {
      if (inside.has(other)) link(other, item.id, "needs");
    }
  });
  return { nodes: [...nodes.values()], edges: [...edges.values()], hidden: items.length - drawn.length };
}

function drawnOf(items: readonly Entry[]): Entry[] {
  if (items.length <= ITEMS) return [...items];
  const most = [...items].sort((l, r) => (r.relevance ?? 0) - (l.relevance ?? 0)).slice(0, ITEMS);
  return most.sort((l, r) => (l.position ?? 0) - (r.position ?? 0));
}

function itemNode(item: Entry): GraphNode {
  return { id: item.id, label: item.name, detail: item.form, kind: "item", hue: item.band?.hue ?? null, entry: item.id };
}

/** A quoted word and how often it was met: `'budget' 6 times`. */
const QUOTED = /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?: (once|\d+ times))?/g;

/** The ways that the reasons of one item tell of. */
export function waysOf(why: readonly string[], byPath: ReadonlyMap<string, string>): Way[] {
  return why.flatMap((line, at) => wayOf(line, at === 0, byPath));
}

function wayOf(line: string, first: boolean, byPath: ReadonlyMap<string, string>): Way[] {
  const holds = /^(path|text) holds (.*)$/s.exec(line);
  if (holds) {
    return [...(holds[2] ?? "").matchAll(QUOTED)].map((found) => {
      const word = plain(found[1] ?? found[2] ?? "");
      const times = found[3] === undefined ? "in its path" : `${found[3]} in its text`;
      return { id: WORD + word, label: word, detail: "a word of the task", edge: times, fromTask: true };
    });
  }
  if (/^named by the task as a path|^written out in the task|^lies in a directory that the task names/.test(line)) {
    return [way("named", "Named by path", "the task names it", plain(line))];
  }
  if (/^defines .*, named in the task$/s.test(line)) {
    return [way("defines", "Names it defines", "the task names what it defines", plain(line))];
  }
  const subject = /^by name the subject of (.*), which holds words of the task$/s.exec(line);
  if (subject) {
    const test = byPath.get(subject[1] ?? "");
    if (test !== undefined) return [{ id: test, label: "", detail: "", edge: "tests it, by name", fromTask: false }];
    return [way("tested", "Tests that hold words", "a test of it holds words of the task", plain(line))];
  }
  if (/^holds \d+ % of the task's words/.test(line)) {
    return [way("share", "Words by weight", "it holds a share of the task's words", plain(line))];
  }
  if (/^likeliest place: /.test(line) || /^decision\b/.test(line)) return [];
  if (!first) return [];
  return [{ ...way("rules", "Rules of the repository", "in force whatever the task", plain(line)), fromTask: false }];
}

function way(id: string, label: string, detail: string, edge: string): Way {
  return { id: `way:${id}`, label, detail, edge, fromTask: true };
}

/** The words that most items share, so that the picture stays one. */
function commonWords(ways: readonly Way[][]): Set<string> {
  const counts = new Map<string, number>();
  for (const way of ways.flat()) if (way.id.startsWith(WORD)) counts.set(way.id, (counts.get(way.id) ?? 0) + 1);
  const ordered = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return new Set(ordered.slice(0, WORDS).map(([id]) => id));
}

function merged(ways: readonly Way[], few: ReadonlySet<string>): Way[] {
  return ways.map((found) =>
    found.id.startsWith(WORD) && !few.has(found.id)
      ? way("words", "Other words", "words of the task that few items hold", `${found.label} ${found.edge}`)
      : found,
  );
}
