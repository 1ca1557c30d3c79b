/** From JSON text to a view. */

import { bundleView } from "./bundle";
import type { RawAnswer, RawContext } from "./raw";
import { recordsView } from "./records";
import type { View } from "./view";

/** The documents that can be shown, as an error lists them. */
const KNOWN = "the JSON of `contextc compile --json`, `contextc devcontext compile --format json` or `bundle compile`";

/** A view of an answer. Throws an `Error` with words for a person when the text is no answer of contextc. */
export function read(text: string): View {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`This is not JSON. Expected ${KNOWN}.`);
  }
  return viewOf(value);
}

/** A view of a JSON value. Throws an `Error` as `read` does. */
export function viewOf(value: unknown): View {
  if (isObject(value)) {
    const schema = value["schema_version"];
    if (schema === "contextc.stored.v1") return viewOf(value["compilation"]);
    if (isObject(value["result"]) && isObject(value["pricing"]) && isObject(value["request"])) {
      const { result } = value as unknown as RawAnswer;
      if (Array.isArray(result.trace?.entries)) return bundleView(value as unknown as RawAnswer);
    }
    if (Array.isArray(value["selected"]) && Array.isArray(value["seeds"]) && isObject(value["budget"])) {
      return recordsView(value as unknown as RawContext);
    }
  }
  throw new Error(`This is no answer of contextc. Expected ${KNOWN}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
