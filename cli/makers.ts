import type { AuditResult, RuleId } from "../audit";
import { type EventDatasets, type Row, rows, type Token, warningsOf } from "../sdk";
import { isObject } from "../values/json";
import { type Line, say } from "./text";

/** The days that a query asks for. The dataset may keep fewer: the last three are free. */
const days = 30;

/** The actions about tokens (extended interface, `axiom-audit`). Its other fields are not documented. */
const actions = ["createAPIToken", "deleteAPIToken", "regenerateAPIToken"];

/** The events about tokens in the audit log of the organization. */
export interface Makers {
  /** Warnings from the service; if the query failed, the reason and the access that it needs. */
  readonly notes: readonly Line[];
  /** The events about a token, one line each, or a line that says how far back the query went. Empty if the query failed. */
  describe(token: NamedToken): Line[];
}

/** A token as a finding names it. */
type NamedToken = Partial<Pick<Token, "id" | "name">>;

/**
 * Reads the events about tokens in the dataset `axiom-audit`, or in a view of it, with one query. If the query fails,
 * the notes say why and what is needed.
 * @param name of the dataset or view
 */
export async function readMakers(client: EventDatasets, name: string, now: Date): Promise<Makers> {
  const apl = `[${JSON.stringify(name)}] | where action in (${actions.map((action) => JSON.stringify(action)).join(", ")})`;
  const startTime = new Date(now.getTime() - days * 86_400_000).toISOString();
  try {
    const answer = await client.queries.apl({ apl, startTime, endTime: now.toISOString() });
    return {
      notes: warningsOf(answer).map((warning) => say`${name}: ${warning}`),
      describe: describeFrom(rows(answer), name),
    };
  } catch (failure) {
    const need = say`only owners may read axiom-audit; others need a view that an owner defines (--who=VIEW) and the capability to query it`;
    return {
      notes: [say`could not find out who made a token: ${(failure as Error).message}`, need],
      describe: () => [],
    };
  }
}

/** Looks for a token in the events of a dataset. */
export function describeFrom(answer: readonly Row[], name: string): Makers["describe"] {
  const events = answer.map((row) => ({ row, texts: textsIn(row) }));
  return (token) => {
    const about = events.filter(({ texts }) => texts.some((text) => isAbout(text, token)));
    if (about.length > 0) return about.map(({ row }) => describeEvent(row));
    return [say`who made it: no event in the last ${days} days of ${name}`];
  };
}

/** The findings about a token that somebody made, deleted or changed outside of its program. */
const aboutSomebody: readonly RuleId[] = ["undeclared", "orphaned", "missing", "escalated", "changed"];

/** Adds who created, changed or deleted the token to the messages of findings. */
export const nameMakers = (result: AuditResult, { describe }: Pick<Makers, "describe">): AuditResult => ({
  ...result,
  findings: result.findings.map((finding) =>
    aboutSomebody.includes(finding.rule)
      ? { ...finding, message: [finding.message, ...describe(finding.token)].join("; ") }
      : finding,
  ),
});

/** An id is unique, so it may be a word of a text, such as a path. A name has to be the whole text. */
const isAbout = (text: string, { id, name }: NamedToken): boolean =>
  text === id || text === name || (id !== undefined && text.split(/[^\w-]+/).includes(id));

/** Every text of an event, wherever it is. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The time, the action and the members of `actor`, which are flat or an object. */
function describeEvent({ _time, action, actor, ...others }: Row): Line {
  const nested = isObject(actor) ? Object.entries(actor) : [];
  const flat = Object.entries(others).flatMap(([key, value]) =>
    key.startsWith("actor.") ? [[key.slice("actor.".length), value] as const] : [],
  );
  const known = [...flat, ...nested].filter(([, value]) => typeof value === "string" && value !== "");
  const who =
    known.map(([key, value]) => `${key} ${String(value)}`).join(", ") || "an actor that the event does not name";
  return say`${String(_time ?? "at an unknown time")} ${String(action)} by ${who}`;
}
