import { quoteForeignText } from "../../values/foreignText";
import type { QueryStatus } from "./result";

/** Priorities that nobody has to act on. All others are shown: their list is not documented. */
const quiet: ReadonlySet<string | undefined> = new Set(["trace", "debug", "info"]);

/**
 * What a reader of an answer has to know before relying on it, a sentence each: that it is partial, and the service's own
 * messages. Their words are untrusted: one bounded line each, without control characters.
 */
export function warningsOf({ status }: { readonly status: QueryStatus }): string[] {
  const partial = status.isPartial ? ["the result is partial: the service did not look at everything"] : [];
  const messages = status.messages.filter(({ priority }) => !quiet.has(priority));
  return [
    ...partial,
    ...messages.map(({ code, msg, count }) => {
      const times = count !== undefined && count > 1 ? ` (${count} times)` : "";
      return `the service says "${quoteForeignText(msg ?? code ?? "")}"${times}`;
    }),
  ];
}
