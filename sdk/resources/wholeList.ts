import { isObject } from "../../values/json";
import type { ResponseHead } from "../../values/response";
import { quoteForeignText } from "../foreignText";

/** A list that a cache stored longer ago, in seconds, lacks the tokens of this update. */
const oldestList = 60;

/**
 * Looks in the status and headers of a response for a sign that its list is incomplete or out of date. Neither interface has
 * paging for these lists, so the rest of a list cannot be requested.
 * @param length how many entries arrived
 * @returns the sign, as in "status 206"; undefined: there is none
 */
export function findSignOfMore(length: number, head: ResponseHead | undefined): string | undefined {
  if (!head) return undefined;
  const { status, headers } = head;
  if (status === 206) return "status 206";
  if (headers["content-range"] !== undefined) return "the header Content-Range";
  if (nextPage.test(headers.link ?? "")) return 'the header Link has rel="next"';
  for (const name of ["X-Next-Page", "X-Next-Cursor"]) {
    // The last page has the header too, and it is empty there.
    if (headers[name.toLowerCase()]?.trim()) return `the header ${name}`;
  }
  if (Number(headers.age) > oldestList) return `the header Age: a cache stored it ${Number(headers.age)} s ago`;
  if (staleness.test(headers.warning ?? "")) return "the header Warning 110: a cache says that it is stale";
  const total = headers["x-total-count"]?.trim() ?? "";
  if (/^\d+$/.test(total) && Number(total) > length) return `X-Total-Count is larger than the ${length} entries`;
  return undefined;
}

/** The relation of a link; one text can hold several: `rel="next last"`. */
const nextPage = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i;

/** The warning "Response is Stale" (RFC 7234, 5.5.1), alone or in a list: `110 - "Response is Stale"`. */
const staleness = /(?:^|,)\s*110\s/;

/**
 * Finds an object that is listed twice: the list changed while the service made it, so another object can be missing.
 * @returns the sign with the id; undefined: there is none
 */
export function findTwice(list: readonly unknown[]): string | undefined {
  const seen = new Set<string>();
  for (const entry of list) {
    const id = isObject(entry) ? entry.id : undefined;
    if (typeof id !== "string" || id === "") continue;
    if (seen.has(id)) return `the id ${quoteForeignText(id)} is listed twice`;
    seen.add(id);
  }
  return undefined;
}
