import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { dependencies } from "../../emulator/package.json";
import { makeFolder, openForTests } from "../support/suite";
import { apl, call, countOf, events, now, start } from "./harness";

describe("ingest", () => {
  const failures: Error[] = [];
  const emulator = openForTests(() => start({ profile: "extended", onFailure: (failure) => failures.push(failure) }));
  let count = 0;
  /** A new dataset for each test. */
  let dataset = "";
  beforeEach(() => {
    count += 1;
    dataset = `new${count}`;
  });

  const ingest = (body: string, type = "text/csv", search = "", headers: Record<string, string> = {}) =>
    call(emulator.url, `POST /v1/datasets/${dataset}/ingest${search}`, {
      body,
      headers: { "content-type": type, ...headers },
    });
  const rows = async (columns: string) => {
    const apl = `['${dataset}'] | sort by n asc | project ${columns}`;
    const { body } = await call(emulator.url, "POST /v1/datasets/_apl?format=tabular", { body: { apl } });
    const [first = [], ...others] = body.tables[0].columns as unknown[][];
    return first.map((value, i) => [value, ...others.map((column) => column[i])]);
  };

  test.each([
    ["application/json", '[{"n":1},{"n":2}]'],
    ["application/x-ndjson", '{"n":1}\n\n{"n":2}\n'],
    ["text/csv; charset=utf-8", "n,s\n1,a\n2,b\n"],
  ])("takes %s", async (type, body) => {
    const stored = { ingested: 2, failed: 0, failures: [], processedBytes: body.length };
    expect(await ingest(body, type)).toMatchObject({ status: 200, body: stored });
    expect(await rows("n")).toEqual([[1], [2]]);
  });

  const labelled = (labels: string) => ["n\n1\n", "text/csv", "", { "x-axiom-event-labels": labels }] as const;
  const deep = `{"a":${"[".repeat(7_500)}${"]".repeat(7_500)}}`; // more than can be sent to the engine's process
  test.each<readonly [status: number, message: RegExp, ...sent: Parameters<typeof ingest>]>([
    [415, /^events must be sent as /, "<a/>", "application/xml"],
    [400, /^the body must be a JSON array/, '{"n":1}', "application/json"],
    [400, /^the body must be a JSON array/, "[", "application/json"],
    [400, /^the body is not valid CSV: line 1: column 1 /, "\u0000\u0001"],
    [400, /^the body is not valid CSV: line 3: expected 2 values, found 1$/, "a,b\n1,2\nsecret\n"],
    ...["%3B%3B", "%22", "%0A"].map(
      (delimiter) => [400, /^csv-delimiter: /, "n\n1\n", "text/csv", `?csv-delimiter=${delimiter}`] as const,
    ),
    [400, /^X-Axiom-Event-Labels: must be a JSON object$/, ...labelled("secret")],
    [400, /^X-Axiom-Event-Labels: must be a JSON object$/, ...labelled("[1]")],
    [400, /^X-Axiom-Event-Labels: is nested too deeply$/, ...labelled(deep)],
  ])("is refused with %i and %s", async (status, message, ...sent) => {
    expect(await ingest(...sent)).toMatchObject({ status, body: { message: expect.stringMatching(message) } });
    expect(failures).toEqual([]);
  });

  test("never repeats the text of an event that it refuses, and stores valid events", async () => {
    const bad = ['{"n":"secret\\ud800"}', '{"_time":"secret"}', `{"n":${"[".repeat(200)}${"]".repeat(200)}}`];
    const { status, body } = await ingest(['{"n":1}', ...bad].join("\n"), "application/x-ndjson");
    expect([status, body.ingested, body.failed]).toEqual([200, 1, 3]);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(failures).toEqual([]);
  });

  test("reads CSV without a line of names if the fields are given, with any delimiter", async () => {
    await ingest("1;a\n2;b\n", "text/csv", "?csv-delimiter=%3B", { "x-axiom-csv-fields": "n, s" });
    await ingest("n,s\n3,c\n", "text/csv", "", { "x-axiom-csv-fields": "" }); // as the service's Go client sends it
    expect((await rows("n, s")).flat()).toEqual([1, "a", 2, "b", 3, "c"]);
  });

  test("takes the time from another field, in a format given by example", async () => {
    const format = encodeURIComponent("02/Jan/2006:15:04:05 -0700");
    const body = "at,n\n17/May/2015:08:05:32 +0200,1\nsecret,2\n";
    const answer = await ingest(body, "text/csv", `?timestamp-field=at&timestamp-format=${format}`);
    expect(answer.body).toMatchObject({ ingested: 1, failed: 1, failures: [{ error: "at is not a valid timestamp" }] });
    expect(await rows("_time, n")).toEqual([["2015-05-17T06:05:32Z", 1]]);
  });

  test("adds labels to every event that lacks them", async () => {
    // As bytes of UTF-8, which a header takes one character a byte.
    const labels = Buffer.from('{"region":"Zürich","n":9}').toString("latin1");
    expect((await ingest(...labelled(labels))).status).toBe(200);
    expect(await rows("n, region")).toEqual([[1, "Zürich"]]);
  });
});

describe("datasets", () => {
  test("come from files, all of them or none, once, and are on disk from then on", async () => {
    const folder = makeFolder();
    const files = ["events.ndjson", "events.csv"].map((name) => path.join(folder, name));
    const [ndjson = "", csv = ""] = files;
    await writeFile(ndjson, events.map((event) => JSON.stringify(event)).join("\n"));
    await writeFile(csv, "at,n\n2026-11-20T00:00:00Z,1\nsecret\n");
    const options = { dataDir: makeFolder(), now, datasets: files.map((file) => ({ name: "web", file })) };
    const refusal = new Error(`dataset web: cannot load ${csv}: line 3: expected 2 values, found 1`);
    for (let attempt = 0; attempt < 2; attempt++) await expect(start(options)).rejects.toThrow(refusal);
    await writeFile(csv, "at,n\n2026-11-20T00:00:00Z,1\n");
    for (const loaded of [new Map([["web", 4]]), new Map()]) {
      await using emulator = await start(options);
      expect(emulator.loaded).toEqual(loaded);
      expect(await countOf(emulator, "web")).toBe(4);
    }
  });

  test("that are damaged on disk are refused with a sentence, and left as they are", async () => {
    const dataDir = makeFolder();
    const file = path.join(dataDir, "datasets", "datasets.duckdb");
    await mkdir(path.dirname(file));
    await writeFile(file, "not a database".repeat(1000));
    await using emulator = await start({ dataDir });
    const { status, body } = await apl(emulator, "['web']");
    expect([status, body.message]).toEqual([501, expect.stringMatching(/^cannot open the datasets in .*not a valid/)]);
    // The page shows tokens and requests all the same.
    const page = await call(emulator.url, "GET /_page/state");
    expect([page.status, page.body.objects.datasets, page.body.objects.problem]).toEqual([200, [], body.message]);
    expect(await readFile(file, "utf8")).toBe("not a database".repeat(1000));
  });

  test("are not available without DuckDB, but tokens are", async () => {
    const folder = makeFolder();
    // Outside the checkout, where no package can be found.
    for (const part of ["dist", "package.json"])
      await cp(path.join(__dirname, "../../emulator", part), path.join(folder, "emulator", part), { recursive: true });
    // The other dependencies run everywhere.
    await mkdir(path.join(folder, "node_modules"));
    for (const name of Object.keys(dependencies).filter((name) => !name.startsWith("@duckdb/")))
      await symlink(path.join(__dirname, "../../node_modules", name), path.join(folder, "node_modules", name));
    const script = `const { startEmulator } = require("./emulator");
      (async () => {
        const emulator = await startEmulator({ dataDir: "data" });
        const headers = { authorization: "Bearer " + emulator.rootToken, "content-type": "application/json" };
        const send = async (method, path, body) => {
          const answer = await fetch(emulator.url + path, { method, headers, body });
          return [answer.status, (await answer.json()).message];
        };
        console.log(JSON.stringify([await send("GET", "/v2/tokens"), await send("POST", "/v1/datasets/_apl", '{"apl":"web"}')]));
        await emulator.close();
      })();`;
    const printed = execFileSync(process.execPath, ["-e", script], { cwd: folder, encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual([
      [200, null],
      [501, expect.stringMatching(/^datasets need the package @duckdb\/node-api: Cannot find/)],
    ]);
  });
});
