import { quoteForeignText } from "../foreignText";
import type { QueryStatus, StatusMessage } from "./result";

/** Priorities that need no action. All others are shown, because their list is not documented. */
const quiet: ReadonlySet<string | undefined> = new Set(["trace", "debug", "info"]);

/**
 * The code of the message that a result was cut off at the default limit, because the query has no limit of its own (extended
 * interface, "Queries").
 */
export const cutAtLimit = "default_limit_warning";

/** Whether a message needs no action, because its priority is low and it does not say that rows are missing. */
export const isQuiet = ({ code, priority }: StatusMessage): boolean => quiet.has(priority) && code !== cutAtLimit;

/** A message from the service as one line of limited length, because its text is untrusted. */
export function describeMessage({ code, msg, count }: StatusMessage): string {
  const times = count !== undefined && count > 1 ? ` (${count} times)` : "";
  return `the service says "${quoteForeignText(msg ?? code ?? "")}"${times}`;
}

/**
 * The warnings about a response, one sentence each: that the result is partial or an estimate, and the service's own messages.
 * Each is one line of limited length without control characters.
 */
export const warningsOf = ({ status }: { readonly status: QueryStatus }): string[] => [
  ...(status.isPartial ? ["the result is partial: the service did not read all the data"] : []),
  ...(status.isEstimate ? ["the result is an estimate"] : []),
  ...status.messages.filter((message) => !isQuiet(message)).map(describeMessage),
];
