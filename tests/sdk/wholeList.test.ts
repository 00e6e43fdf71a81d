import { describe, expect, test } from "@jest/globals";
import { connect, failure } from "../support/client";
import { type Behaviour, json, startService } from "../support/service";

const entries = [
  { id: "o1", name: "a" },
  { id: "o2", name: "b" },
];

/** One header in several lines, as HTTP allows for lists. */
const withLinks =
  (...links: readonly string[]): Behaviour =>
  (response) => {
    response.setHeader("link", links);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(entries));
  };

const parts: readonly (readonly [string, Behaviour, string])[] = [
  ["status 206", json(206, entries), "status 206"],
  ["Content-Range", json(200, entries, { "content-range": "items 0-1/7" }), "the header Content-Range"],
  ["a link to the next page", withLinks('</v2/x?page=2>; rel="next"'), 'the header Link has rel="next"'],
  ["one such link among several", withLinks("</v2/x>; rel=first", "</v2/y>; rel=next"), "the header Link"],
  ["a link with several relations", withLinks('</v2/x?page=2>; title="a"; rel="last next"'), "the header Link"],
  ["a larger total", json(200, entries, { "x-total-count": "3" }), "X-Total-Count is larger than the 2 entries"],
  ["a number of the next page", json(200, entries, { "x-next-page": "2" }), "the header X-Next-Page"],
  ["a cursor of the next page", json(200, entries, { "x-next-cursor": "bzI" }), "the header X-Next-Cursor"],
  ["an age of more than a minute", json(200, entries, { age: "61" }), "the header Age: a cache stored it 61 s ago"],
  ["a warning about its age", json(200, entries, { warning: '299 - "x", 110 - "Response is Stale"' }), "Warning 110"],
  ["an id twice", json(200, [...entries, { id: "o1", name: "c" }]), "the id o1 is listed twice"],
  ["the id of an odd entry twice", json(200, [...entries, { id: "o2", name: 7 }]), "the id o2 is listed twice"],
];

describe.each(["tokens", "annotations"] as const)("a list of %s that may be incomplete is refused", (noun) => {
  test.each(parts)("%s", async (_, behaviour, sign) => {
    await using service = await startService(behaviour);
    const error = await failure(connect(service.url, { profile: "extended" })[noun].list());
    expect(error.message).toContain(sign);
    expect(error.message).toContain("the list may be incomplete (");
    expect(error.message).toMatch(/so it was not used$/);
    expect(error).toMatchObject({ outcome: "unknown", id: undefined });
    expect(service.calls).toEqual([`GET /v2/${noun}`]);
  });
});

test.each<[string, Behaviour]>([
  ["a total that fits", json(200, entries, { "x-total-count": "2" })],
  ["a total that is smaller", json(200, entries, { "x-total-count": "1" })],
  ["links to other places", withLinks('</next>; rel="first"', '</docs>; rel="help"; title="next"')],
  ["headers of a last page, which are empty", json(200, entries, { "x-next-page": "", "x-next-cursor": "" })],
  ["an age of less than a minute, or of an unknown form", json(200, entries, { age: "59", warning: '199 - "110"' })],
  ["entries without an id", json(200, [...entries, { name: "c" }, { name: "d" }, 7, 7])],
])("a list with %s is whole", async (_, behaviour) => {
  await using service = await startService(behaviour);
  expect(await connect(service.url).tokens.list()).toMatchObject(entries);
});
