import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { EventDatasets } from "../../sdk";
import { clientOperations, operationsWithId, sameId } from "../faults/clientOperations";
import { connect } from "../support/client";
import { anyCharacter } from "../support/hostile";
import { openForTests } from "../support/suite";
import { runsOf } from "./random";
import { startRawService } from "./rawService";

const runs = runsOf(200);

const service = openForTests(startRawService);
beforeAll(() => {
  service.answer = Buffer.from("HTTP/1.1 404 X\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
});

const pieces = [
  ...["", "a/b", "a\r\nb", "%2e%2E"],
  ...["..", ".", "%2e", "%2E", "%252e", "%2f", "%5c", "%", "%0d%0a", "%00", "%zz", "%c0%ae", "%ef%bc%8f"],
  ...["/", "\\", "?", "#", "&a=b", ";", "@", ":", "//evil", "t1", " ", "\t", "\r\n", "\u2028", "\ud800", "．．", "∕"],
];

/** Any text as an id, most of all what addresses are made of. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...pieces) },
  fc.string({ unit: anyCharacter, maxLength: 3 }),
);
const id = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(""));

type Call = readonly [name: string, run: (client: EventDatasets, id: string) => Promise<unknown>, line: string];

/** Each call that has an id in its path, and its request; the `*` stands for the id. */
const calls: readonly Call[] = [
  ...operationsWithId.map((name): Call => {
    const { run, line } = clientOperations[name];
    return [name, (client, id) => run(client, sameId(id)), line];
  }),
  [
    "queries.dataset",
    (client, id) => client.queries.dataset(id, { startTime: "now-1d", endTime: "now", resolution: "auto", limit: 1 }),
    "POST /v1/datasets/*/query",
  ],
];

/** The first line of a request, with the segment of the id. */
const lineOf = (line: string) => new RegExp(`^${line.replace(" ", " /base").replace("*", "([^/?#\\s]+)")} HTTP/1\\.1$`);

/** The readings of a segment: undecoded, decoded once, and decoded twice (by a proxy and the server behind it). */
function readings(segment: string): string[] {
  const once = decodeURIComponent(segment);
  try {
    return [segment, once, decodeURIComponent(once)];
  } catch {
    return [segment, once];
  }
}

/** Segments that a server could resolve to another path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not arrive
const leadsElsewhere = /^\.{0,2}$|[/\\\u0000-\u001f\u007f]/;

test.each(calls)("%s asks for the object of its id or for nothing at all, whatever the id is", async (_, run, line) => {
  await using client = connect(`${service.url}/base`, { profile: "extended" });
  await fc.assert(
    fc.asyncProperty(id, async (given) => {
      service.targets.length = 0;
      const error = (await run(client, given).catch((e: unknown) => e)) as Error;
      if (error instanceof RangeError) {
        expect(service.targets).toEqual([]);
        expect(error.message).toMatch(/^[ -~]*$|^not a usable id: "/);
        return;
      }
      expect(error).toMatchObject({ name: "ApiError", status: 404 });
      expect(service.targets).toHaveLength(1);
      const [, segment = ""] = lineOf(line).exec(service.targets[0] ?? "") ?? [];
      expect(decodeURIComponent(segment)).toBe(given.toWellFormed());
      for (const reading of readings(segment)) expect(reading).not.toMatch(leadsElsewhere);
      // As every program reads an address that was written whole.
      expect(new URL(`${service.url}/v2/tokens/${segment}`).pathname).toBe(`/v2/tokens/${segment}`);
    }),
    { numRuns: runs },
  );
});
