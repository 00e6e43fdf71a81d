import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isQueryError, parseCsv, parseEvents } from "../../emulator/apl";
import { failure, openTestDatasets, type TestDatasets } from "../emulator/apl/support";
import { anyCharacter } from "../support/hostile";
import { runsOf } from "./random";

const runs = runsOf(60);
const settings = { numRuns: runs };

let open: TestDatasets;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "loading-"));
  open = await openTestDatasets({});
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Of how many datasets the next is loaded into, and how often each: they grow, and with them what a load takes. */
const [datasetsAtOnce, loadsOfEach] = [20, 10];
let loads = 0;
async function nextDataset(): Promise<string> {
  if (++loads % (datasetsAtOnce * loadsOfEach) === 0) {
    await open[Symbol.asyncDispose]();
    open = await openTestDatasets({});
  }
  return `d${loads % datasetsAtOnce}`;
}

/** Stands in events; no error may quote it. */
const canary = "cnry-of-an-event-3f9c1d";

const field = fc.oneof(
  fc.constantFrom(
    "",
    "1",
    "-0",
    "007",
    "1.5",
    "1e5",
    "true",
    "null",
    canary,
    "2024-01-01T00:00:00Z",
    "99999999999999999999",
  ),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
);
const name = fc.constantFrom("_time", "status", "a", "A", "", "a b", "__proto__", "_sysTime", "x.y", "é", "\u0000");
const lineEnd = fc.constantFrom("\n", "\n", "\r\n", "\r");
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
const noise = fc.constantFrom('"', '""', "\u0000", "\ufeff", "\r", "{", "]", ";", "\t");

/** CSV of as many values a line as there are names, but for now and then. */
const csv = fc
  .tuple(
    fc.array(name, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.array(field, { minLength: 4, maxLength: 4 }), fc.nat(20), fc.boolean(), noise), {
      maxLength: 5,
    }),
    fc.constantFrom(",", ",", ";", "|"),
    lineEnd,
    fc.boolean(),
  )
  .map(([names, rows, delimiter, end, ended]) => {
    const lines = rows.map(([values, odd, isQuoted, extra]) => {
      const width = odd === 0 ? names.length + 1 : odd === 1 ? names.length - 1 : names.length;
      const texts = values.slice(0, width).map((value) => (isQuoted ? quote(value) : value.replace(/["\r\n,;|]/g, "")));
      return (odd === 2 ? [...texts.slice(0, -1), `${texts.at(-1) ?? ""}${extra}`] : texts).join(delimiter);
    });
    return [names.join(delimiter), ...lines].join(end) + (ended ? end : "");
  });

const event = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(name, fc.oneof(field, fc.jsonValue({ maxDepth: 3 })), { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
/** A line an event, and now and then one that is none. */
const ndjson = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: event.map((one) => JSON.stringify(one)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("", "  ", `{"a":"${canary}`, `{"a":1}${canary}`, "{'a':1}", '{"_time":"x"}', "NaN"),
      },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => lines.join("\n"));

const bytes = fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some));
const contents = {
  csv: fc.oneof({ weight: 8, arbitrary: csv.map((text) => Buffer.from(text)) }, { weight: 1, arbitrary: bytes }),
  ndjson: fc.oneof({ weight: 8, arbitrary: ndjson.map((text) => Buffer.from(text)) }, { weight: 1, arbitrary: bytes }),
} as const;

/** DuckDB's messages for SQL that it cannot read, and for internal errors. */
const broken = /\b(?:Binder|Parser|Catalog|INTERNAL|Internal|Fatal) Error/i;

describe.each(Object.entries(contents))("a file of %s", (format, content) => {
  test("is loaded whole or not at all, whatever it holds, and what is wrong is told with its place and without a quote", async () => {
    const outcomes = { loaded: 0, refused: 0 };
    const file = path.join(folder, `events.${format}`);
    await fc.assert(
      fc.asyncProperty(content, async (data) => {
        const dataset = await nextDataset();
        await writeFile(file, data);
        const count = async () =>
          open.datasets.names().includes(dataset) ? Number((await open.column(`['${dataset}'] | count`))[0]) : 0;
        const before = await count();
        try {
          const { rows } = await open.datasets.load(dataset, file);
          expect(await count()).toBe(before + rows);
          outcomes.loaded += 1;
        } catch (e) {
          if (!isQueryError(e)) throw e;
          expect(await count()).toBe(before);
          expect(e.kind).toBe("data");
          expect(e.message).not.toMatch(broken);
          expect(e.message).not.toContain(canary);
          outcomes.refused += 1;
        }
      }),
      settings,
    );
    expect(Math.min(outcomes.loaded, outcomes.refused)).toBeGreaterThan(runs / 20);
  });
});

test("CSV in a request is rows of its names, or an error that names the line", () => {
  fc.assert(
    fc.property(contents.csv, (data) => {
      try {
        const rows = parseCsv(data.toString("utf8"));
        const [first] = rows;
        for (const row of rows) {
          expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
          expect(Object.keys(row)).toEqual(Object.keys(first ?? {}));
        }
      } catch (e) {
        if (!isQueryError(e)) throw e;
        expect(e.message).toMatch(/^line [1-9]\d*: /);
        expect(e.message).not.toContain(canary);
      }
    }),
    settings,
  );
});

test("events of a request are stored or named one by one, and all are accounted for", async () => {
  await fc.assert(
    fc.asyncProperty(contents.ndjson, async (data) => {
      const lines = data
        .toString("utf8")
        .split("\n")
        .filter((line) => line.trim() !== "");
      const events = lines.map((line) => parseEvents(line)?.value);
      const dataset = await nextDataset();
      const { ingested, failed, failures } = await open.datasets.ingest(dataset, events);
      expect(ingested + failed).toBe(events.length);
      expect(failures).toHaveLength(failed);
      for (const { error } of failures) {
        expect(error).not.toMatch(broken);
        expect(error).not.toContain(canary);
      }
    }),
    settings,
  );
});

test("a file that is not there is an error of the load", async () => {
  expect(await failure(open.datasets.load("none", path.join(folder, "none.csv")))).toMatchObject({ kind: "data" });
});
