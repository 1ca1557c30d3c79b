/** Why there is no bundle, what proves it, and what would be enough. */

import type { Ledger } from "./ledger";
import type { RawFailure, RawObstacle, RawWitness } from "./raw";
import { amount, figure, listing, plain, sentence } from "./words";

const TOLD = 8;

export interface Told {
  headline: string;
  enough: number | null;
  lines: string[];
  hints: string[];
  needs: string[];
}

/** A refusal in words. Without a witness it rests on the diagnostic alone. */
export function refusalOf(ledger: Ledger, failure: RawFailure, witness: RawWitness | null): Told {
  const headline = sentence(reason(ledger, failure, witness));
  const told: Told = { headline, enough: null, lines: [], hints: [], needs: [] };
  if (!witness) return { ...told, lines: [sentence(plain(failure.diagnostic))] };
  return { ...told, ...proof(ledger, failure, witness) };
}

function reason(ledger: Ledger, failure: RawFailure, witness: RawWitness | null): string {
  const named = witness?.ids.length ? witness.ids : failure.blocking_ids;
  const names = listing(named.map((name) => ledger.obligation(name, failure.blocking_ids)));
  const required = `${names} ${named.length === 1 ? "is" : "are"} required`;
  switch (failure.reason) {
    case "INSUFFICIENT_BUDGET":
      if (witness?.least_budget != null) {
        return `needs at least ${amount(witness.least_budget)}, the budget is ${figure(failure.budget_total)}`;
      }
      if (witness?.kind === "unproved") return `no legal bundle within ${amount(failure.budget_total)} was found`;
      return `what is required does not fit into ${amount(failure.budget_total)}`;
    case "UNSATISFIED_DEPENDENCY":
      if (witness?.kind === "contradiction") return `${required}, and no bundle can hold them all`;
      return `${required}, and what every form of it needs cannot be in a bundle`;
    case "NO_LEGAL_REPRESENTATION":
      return `${required}, and every form of it shows too little`;
    case "UNRESOLVED_REQUIRED_GROUP":
      return `the required group ${listing(named.map(plain))} cannot be whole`;
    case "REQUIRED_SOURCE_UNAVAILABLE":
      return `required by name, but no candidate is called ${listing(failure.blocking_ids.map(plain), 5, "or")}`;
    case "REQUIRED_INELIGIBLE":
      return `${required}, and no form of it passes its gates`;
    default:
      return plain(failure.diagnostic);
  }
}

function proof(ledger: Ledger, failure: RawFailure, witness: RawWitness): Partial<Told> {
  const obstacles = () => {
    const told = witness.obstacles.slice(0, TOLD).map((found) => sentence(pathInWords(ledger, found)));
    const more = witness.obstacles.length - TOLD;
    return more > 0 ? [...told, `And ${figure(more)} more.`] : told;
  };
  switch (witness.kind) {
    case "missing":
      return { hints: ["Correct the names, or do not require them."] };
    case "gated":
      return {
        lines: obstacles(),
        hints: ["No budget helps: require something else, or correct what fails its gate."],
      };
    case "blocked":
      return {
        lines: obstacles(),
        hints: ["No budget helps: require something else, or correct what stands at the end of these ways."],
      };
    case "contradiction":
      return {
        lines: failure.blocking_ids.length
          ? [`Their forms: ${listing(failure.blocking_ids.map((id) => ledger.name(id)), TOLD)}.`]
          : [],
        hints: ["No budget helps: require fewer of them, or give one of them another form."],
      };
    case "budget": {
      const size = (id: string) => ledger.price(id) ?? 0;
      const needs = [...witness.bundle_ids].sort((a, b) => size(b) - size(a) || (a < b ? -1 : 1));
      const hints = [`Give a budget of ${amount(witness.least_budget ?? 0)} or more.`, "Or require less."];
      return { enough: witness.least_budget, needs, hints };
    }
    default: {
      const lines = [`The search stopped at its cap (${plain(witness.cap ?? "unnamed")}), so there may be one.`];
      if (witness.lower_bound !== null) lines.push(`None costs less than ${amount(witness.lower_bound)}.`);
      return { lines, hints: ["Give a larger budget, or install the exact solver, which decides such cases."] };
    }
  }
}

/** The way from a candidate to what stands against it. */
function pathInWords(ledger: Ledger, found: RawObstacle): string {
  const [first = plain(found.candidate_id), ...others] = found.path.map((id) => ledger.name(id));
  const way = others.map((name) => `needs ${name}`);
  if (found.gate === "missing") way.push("is no candidate");
  else if (found.gate === "form-clash") {
    way.push(`is another form of the content of ${ledger.name(found.other ?? "")}, needed as well`);
  } else way.push(`fails the ${plain(found.gate)} gate${found.reason ? `: ${plain(found.reason)}` : ""}`);
  return `${first} ${way.join(", which ")}`;
}
