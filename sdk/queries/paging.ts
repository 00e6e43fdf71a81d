import { isAfter } from "../../values/instant";
import type { DatasetRequest } from "./request";
import type { EventsResult } from "./result";

/** The start of a page: it replaces the fields with these names in the request. */
export type Position = Pick<DatasetRequest, "continuationToken" | "cursor" | "includeCursor">;

type Start = Position & Pick<DatasetRequest, "order">;

/**
 * Fetches pages one after another, each when the caller asks for it.
 * @param start the request's own position and order
 * @param fetch gets the page at a position
 */
export async function* fetchPages<Page extends EventsResult>(
  start: Start,
  fetch: (position: Position) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let { continuationToken, cursor, includeCursor }: Position = start;
  const seen = new Set([continuationToken, cursor]);
  for (let first = true; ; first = false) {
    const page = await fetch({ continuationToken, cursor, includeCursor });
    const byCursor = !first && cursor !== undefined;
    // The cursor led past the last event, which only the request could show.
    if (byCursor && page.matches.length === 0) return;
    yield page;

    const token = page.status.continuationToken || undefined;
    // A service that pages by tokens and returns none has no more pages; its cursors would lead past the end.
    const next = token ?? (first || byCursor ? findNextCursor(page, start.order) : undefined);
    if (next === undefined || seen.has(next)) return;
    seen.add(next);
    continuationToken = token;
    cursor = token === undefined ? next : undefined;
    // The event at the cursor was the last one of this page.
    includeCursor = undefined;
  }
}

/**
 * The cursor in the direction of the page: to newer events if the order or the events themselves ascend. None if
 * another field orders the events: the oldest or newest one is then not the last of the page.
 */
function findNextCursor({ matches, status }: EventsResult, order: Start["order"]): string | undefined {
  const [key] = order ?? [];
  const [first, last] = [matches[0], matches.at(-1)];
  if (!first || !last || (key && key.field !== "_time")) return undefined;
  const up = key ? !key.desc : isAfter(last._time, first._time);
  return (up ? status.maxCursor : status.minCursor) || undefined;
}
