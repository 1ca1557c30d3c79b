/** The records of one compilation, looked up by id. */

import { priceOf } from "./pricing";
import type { RawAnswer, RawNote, RawTraceEntry } from "./raw";
import { amount, plain, units } from "./words";

export class Ledger {
  readonly policy: string;
  readonly entries = new Map<string, RawTraceEntry>();
  readonly forms = new Map<string, RawTraceEntry[]>();
  /** Items in the order of the bundle. */
  readonly items: RawTraceEntry[];
  private readonly notes: Map<string, RawNote>;
  private readonly byName: Set<string>;
  private readonly required = new Map<string, boolean>();

  constructor(readonly answer: RawAnswer) {
    this.policy = answer.result.policy_version;
    this.notes = new Map(Object.entries(answer.notes ?? {}));
    this.byName = new Set(answer.request.required_ids);
    for (const entry of answer.result.trace.entries) {
      this.entries.set(entry.candidate_id, entry);
      const forms = this.forms.get(entry.content_identity);
      if (forms) forms.push(entry);
      else this.forms.set(entry.content_identity, [entry]);
    }
    this.items = [...this.entries.values()]
      .filter((entry) => entry.position !== null)
      .sort((left, right) => (left.position ?? 0) - (right.position ?? 0));
  }

  note(id: string): RawNote | undefined {
    return this.notes.get(id);
  }

  /** A candidate as a person knows it: path and form where there is a note, else its id. */
  name(id: string): string {
    const note = this.notes.get(id);
    return note ? plain(`${note.path} (${this.entries.get(id)?.representation_id || note.form})`) : plain(id);
  }

  /** A content without its form. */
  place(id: string): string {
    return plain(this.notes.get(id)?.path ?? id);
  }

  /** `name: 1,234 tokens`. */
  priced(id: string): string {
    const tokens = this.price(id);
    return tokens === null ? this.name(id) : `${this.name(id)}: ${amount(tokens)}`;
  }

  price(id: string): number | null {
    return priceOf(id, this.answer.pricing);
  }

  amount(count: number): string {
    return units(count, this.answer.pricing.unit);
  }

  /** The admitted form of a content. */
  holder(content: string): RawTraceEntry | undefined {
    return this.forms.get(content)?.find((entry) => entry.decision === "ADMITTED");
  }

  requiredByName(id: string): boolean {
    return this.byName.has(id);
  }

  /** No legal bundle could do without it: by its band, or because something required brought it in. */
  isRequired(id: string): boolean {
    const known = this.required.get(id);
    if (known !== undefined) return known;
    this.required.set(id, false); // what needs one another in a circle is not required by that alone
    const entry = this.entries.get(id);
    const found =
      entry !== undefined &&
      (entry.priority_band === "MANDATORY" ||
        entry.priority_band === "REQUIRED" ||
        entry.pulled_in_by.some((other) => this.isRequired(other)));
    this.required.set(id, found);
    return found;
  }

  /** What a witness calls an obligation: a content is called by the path of a candidate among `ids`. */
  obligation(name: string, ids: readonly string[]): string {
    if (this.notes.has(name)) return this.name(name);
    const form = ids.find((id) => this.entries.get(id)?.content_identity === name && this.notes.has(id));
    return form === undefined ? plain(name) : this.place(form);
  }
}
