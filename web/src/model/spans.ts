/** Which stretch of a delivered text belongs to which item.
 *
 * A text from a repository cannot forge a delimiter of the formats (a fence or a run is longer than any in the text),
 * so reading block after block from the top is exact. A text that is not of a known format is one stretch. */

import type { Span } from "./view";

interface Block {
  end: number;
  bodyStart: number;
  bodyEnd: number;
}

interface Format {
  /** What every block begins with. */
  opens(text: string, at: number): boolean;
  /** The block that begins here; null when it is not closed. */
  block(text: string, at: number): Block | null;
  /** The task, from the text below the items. */
  title(tail: string): string;
}

/** The start of the line after the one at `at`. */
function nextLine(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  return feed < 0 ? text.length : feed + 1;
}

/** The offset of the first line from `at`, itself the start of one, that is `mark` and one of `rest`; -1 without one. */
function findLine(text: string, at: number, mark: string, rest: readonly string[]): number {
  for (let line = at; ; ) {
    if (text.startsWith(mark, line) && rest.some((end) => text.startsWith(end, line + mark.length))) return line;
    const feed = text.indexOf(`\n${mark}`, line);
    if (feed < 0) return -1;
    line = feed + 1;
  }
}

const TAIL = /End of context(?: for: ([^\n]*))?\n/;

const markdown: Format = {
  opens: (text, at) => text.startsWith("## ", at),
  block(text, at) {
    let line = nextLine(text, at);
    while (/^(?:Title: |Belongs together with |Remark: )/.test(text.slice(line, line + 24))) line = nextLine(text, line);
    const fence = /^`{3,}/.exec(text.slice(line, line + 200))?.[0];
    if (fence === undefined) return text[line] === "\n" ? { end: line + 1, bodyStart: line, bodyEnd: line } : null;
    const bodyStart = nextLine(text, line);
    const bodyEnd = findLine(text, bodyStart, fence, ["\n"]);
    if (bodyEnd < 0) return null;
    let end = nextLine(text, bodyEnd);
    if (text.startsWith("No line feed at the end.\n", end)) end = nextLine(text, end);
    return text[end] === "\n" ? { end: end + 1, bodyStart, bodyEnd } : null;
  },
  title: (tail) => TAIL.exec(tail)?.[1] ?? "",
};

const plainText: Format = {
  opens: (text, at) => /^={4,} /.test(text.slice(at, at + 4096)),
  block(text, at) {
    const run = /^=+/.exec(text.slice(at, at + 4096))?.[0] ?? "";
    let bodyStart = nextLine(text, at);
    for (const word of ["title: ", "belongs together with ", "remark: "]) {
      if (text.startsWith(`${run} ${word}`, bodyStart)) bodyStart = nextLine(text, bodyStart);
    }
    const bodyEnd = findLine(text, bodyStart, run, ["\n\n", " no line feed at the end\n\n"]);
    return bodyEnd < 0 ? null : { end: nextLine(text, bodyEnd) + 1, bodyStart, bodyEnd };
  },
  title: (tail) => TAIL.exec(tail)?.[1] ?? "",
};

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

const xml: Format = {
  opens: (text, at) => text.startsWith("<document ", at),
  block(text, at) {
    const bodyStart = nextLine(text, at);
    const close = "</document>\n";
    const bodyEnd = text.indexOf(close, bodyStart);
    return bodyEnd < 0 ? null : { end: bodyEnd + close.length, bodyStart, bodyEnd };
  },
  title(tail) {
    const raw = /<about title="([^"]*)"/.exec(tail)?.[1] ?? "";
    return raw.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
  },
};

/** Heads of the formats: what stands above the first block. */
const FORMATS: readonly (readonly [string, Format])[] = [
  ["# Context\n\nText between fences is quoted; lines left out are named.\n\n", markdown],
  ["Context\n\n", plainText],
  ["<documents>\n", xml],
];

/** Stretches in order, together the whole text, and the task that the text names. `ids` are the items in order. */
export function spansOf(text: string, ids: readonly string[]): { spans: Span[]; title: string } {
  const whole: Span = { item: null, start: 0, end: text.length, bodyStart: 0, bodyEnd: 0 };
  const format = FORMATS.find(([head]) => text.startsWith(head));
  if (!text || !format) return { spans: text ? [whole] : [], title: "" };
  const [head, rules] = format;
  const spans: Span[] = [{ item: null, start: 0, end: head.length, bodyStart: 0, bodyEnd: 0 }];
  let at = head.length;
  for (const item of ids) {
    const block = rules.opens(text, at) ? rules.block(text, at) : null;
    if (!block) return { spans: [whole], title: "" };
    spans.push({ item, start: at, ...block });
    at = block.end;
  }
  if (rules.opens(text, at)) return { spans: [whole], title: "" };
  if (at < text.length) spans.push({ item: null, start: at, end: text.length, bodyStart: at, bodyEnd: at });
  return { spans, title: rules.title(text.slice(at)) };
}
