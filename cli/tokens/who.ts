import { type EventDatasets, type Row, rows, type Token, warningsOf } from "../../sdk";
import { isObject } from "../../values/json";
import { type Line, say } from "../text";

/** The days that a query asks for. The dataset may keep fewer: the last three are free. */
const days = 30;

/** The actions about tokens (extended interface, `axiom-audit`). Its other fields are not documented. */
const actions = ["createAPIToken", "deleteAPIToken", "regenerateAPIToken"];

/**
 * Finds the events about a token in the dataset `axiom-audit`, or in a view of it, with one query. Without access it says what is needed.
 * @param name of the dataset or view
 */
export async function describeMakers(
  client: EventDatasets,
  name: string,
  token: Pick<Token, "id"> & Partial<Token>,
  now: Date,
): Promise<Line[]> {
  const apl = `[${JSON.stringify(name)}] | where action in (${actions.map((action) => JSON.stringify(action)).join(", ")})`;
  const startTime = new Date(now.getTime() - days * 86_400_000).toISOString();
  try {
    const answer = await client.queries.apl({ apl, startTime, endTime: now.toISOString() });
    const warnings = warningsOf(answer).map((warning) => say`  ${name}: ${warning}`);
    const events = rows(answer).filter((row) => textsIn(row).some((text) => isAbout(text, token)));
    if (events.length > 0) return [...warnings, ...events.map(describeEvent)];
    return [...warnings, say`  who made it: not within the ${days} days that this query of ${name} saw`];
  } catch (failure) {
    return [
      say`  who made it is not known: ${(failure as Error).message}`,
      say`  only owners may read axiom-audit; others need a view that an owner defines (--who=VIEW) and the capability to query it`,
    ];
  }
}

/** An id is unique, so it may be a word of a text, such as a path. A name has to be the whole text. */
const isAbout = (text: string, { id, name }: Pick<Token, "id"> & Partial<Token>): boolean =>
  text === id || text === name || text.split(/[^\w-]+/).includes(id);

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
  return say`  ${String(_time ?? "at an unknown time")} ${String(action)} by ${who}`;
}
