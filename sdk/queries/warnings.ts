import { quoteForeignText } from "../../values/foreignText";
import type { QueryStatus } from "./result";

/** Priorities that need no action. All others are shown, because their list is not documented. */
const quiet: ReadonlySet<string | undefined> = new Set(["trace", "debug", "info"]);

/**
 * The warnings about a response, a sentence each: that the result is partial, and the service's own messages. Their
 * text is untrusted, so each is one bounded line without control characters.
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
