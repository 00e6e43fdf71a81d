import type { AplResult, FieldMeta, QueryStatus, StatusMessage } from "../sdk";
import { quoteForeignText } from "../sdk/foreignText";
import { cutAtLimit, describeMessage, isQuiet, warningsOf } from "../sdk/queries/warnings";
import { nearestName } from "../values/nearestName";

/** The parts of a result that describe its fields. */
export interface FieldFacts {
  readonly status: QueryStatus;
  readonly fieldsMeta?: readonly FieldMeta[];
  readonly fieldsMetaMap?: { readonly [dataset: string]: readonly FieldMeta[] };
}

const missingField = "missing_column";

/**
 * The message about a field that no event has ever had, if the service returns a result anyway (extended interface, "Queries").
 * If a field of the result has a similar name, the message suggests this field.
 */
export function findMissingField({ status, fieldsMeta = [], fieldsMetaMap = {} }: FieldFacts): string | undefined {
  const message = status.messages.find(({ code }) => code === missingField);
  if (!message) return undefined;
  const name = /"([^"]+)"/.exec(message.msg ?? "")?.[1];
  const known = [...fieldsMeta, ...Object.values(fieldsMetaMap).flat()].map((field) => field.name);
  const others = known.filter((one) => one !== name);
  const nearest = name === undefined ? undefined : nearestName(name, others);
  const hint = nearest === undefined ? "" : `, nearest: "${quoteForeignText(nearest)}"`;
  return `invalid field: ${describeMessage(message)}${hint}`;
}

/** All warnings and messages from the service about a result. A gate also shows the messages that need no action. */
export const remarksOf = (result: AplResult): string[] => [
  ...warningsOf(result),
  ...result.status.messages.filter(isQuiet).map(describeMessage),
];

/** Codes that say that the value is not the one that the query asks for, whatever their priority. */
const failing: ReadonlySet<string> = new Set([
  missingField,
  "virtual_field_finalize_error",
  "license_limit_for_query_warning",
]);

/** The limit for queries without one (extended interface, "Queries"). */
const usualLimit = 1000;

/** Whether a result with this message does not pass. A cut at the usual limit matters only if there are so many rows. */
function isFailing(message: StatusMessage, rowCount: number): boolean {
  const { code = "", priority } = message;
  if (code === cutAtLimit && (priority === "warn" || isQuiet({ ...message, code: "" }))) return rowCount >= usualLimit;
  return failing.has(code) || !isQuiet(message);
}

/**
 * The first reason why a result is unreliable, whatever its value; undefined: none.
 * @param warnings "fail": estimates, and messages that are otherwise only shown, are reasons too
 */
export function findDoubt(result: AplResult, rowCount: number, warnings: "show" | "fail"): string | undefined {
  const { status } = result;
  if (status.isPartial) return "the result is partial";
  if (status.isEstimate && warnings === "fail") return "the result is an estimate";
  const message = status.messages.find((one) => warnings === "fail" || isFailing(one, rowCount));
  if (message === undefined) return undefined;
  return message.code === missingField ? findMissingField(result) : `${describeMessage(message)} with the result`;
}
