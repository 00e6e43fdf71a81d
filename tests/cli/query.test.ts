import { stripVTControlCharacters, styleText } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { query } from "../../cli/query";
import { cli } from "../support/cli";
import { aplAnswer } from "../support/queryAnswers";
import { hangUp, json, type ScriptedService, startService } from "../support/service";
import { fakeIo, valuesOf } from "./fakeIo";

const credential = "xaat-canary-7d21";
const events = (...data: object[]) => ({
  ...aplAnswer,
  buckets: { series: [], totals: [] },
  matches: data.map((fields) => ({ _time: "2026-11-20T10:00:00Z", data: fields })),
  status: {},
});
const calm = { ...aplAnswer, status: {} };

/** The command as a user runs it, without a terminal. */
async function run({ url }: Pick<ScriptedService, "url">, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const connection = { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: credential };
  const { code, stdout, stderr } = await cli(["query", ...args], { env: { ...connection, ...env } });
  return { code, stdout, stderr: stderr.replace(withoutStart, "") };
}

/** The notice of every query without a start; a test of its own shows it. */
const withoutStart =
  "pulumi-event-datasets: without --start the query covers all events (on Axiom, those of about ten years)\n";

const bodies = (service: ScriptedService) => service.requests.map(({ body }) => JSON.parse(body));

describe("a query in text", () => {
  test("prints its rows as a table, without colours if there is no terminal", async () => {
    await using service = await startService(json(200, calm));
    expect(await run(service, ["['web'] | summarize count() by method"], { FORCE_COLOR: "1" })).toEqual({
      code: 0,
      stdout: `_time                 status  user  geo              tags
────────────────────  ──────  ────  ───────────────  ──────────
2026-11-20T10:00:00Z     200        {"city":"Oslo"}  ["a",null]
`,
      stderr: "",
    });
    expect(service.calls).toEqual(["POST /v1/datasets/_apl"]);
    expect(bodies(service)).toEqual([{ apl: "['web'] | summarize count() by method" }]);
  });

  test("sends instants, so that the service need not support relative times", async () => {
    await using service = await startService(json(200, calm));
    const before = Date.now();
    await run(service, ["web", "--start", "now-1h", "--end", "2999-11-21T13:00:00+01:00"]);
    const [{ startTime, endTime }] = bodies(service);
    const asked = Date.parse(startTime) + 3_600_000;
    expect(asked >= Math.floor(before / 1000) * 1000 && asked <= Date.now()).toBe(true);
    expect(startTime).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(endTime).toBe("2999-11-21T12:00:00Z");
  });

  test("that finds nothing succeeds and says so", async () => {
    await using service = await startService(json(200, events()));
    expect(await run(service, ["web"])).toEqual({ code: 0, stdout: "no rows\n", stderr: "" });
  });

  test("reports on standard error that its result is partial, and the messages of the service", async () => {
    await using service = await startService(json(200, aplAnswer));
    const { stdout, stderr, code } = await run(service, ["web", "--output", "json"]);
    expect(stderr).toBe(
      'pulumi-event-datasets: the result is partial: the service did not read all the data\npulumi-event-datasets: the service says "the field colour cannot be computed" (2 times)\n',
    );
    expect(JSON.parse(stdout)).toEqual(aplAnswer);
    expect(code).toBe(0);
  });
});

test("a query without a start is told how much it covers, unless it names a time itself", async () => {
  await using service = await startService(json(200, calm));
  const stderrOf = async (args: string[]) => {
    const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
    return (await cli(["query", ...args], { env })).stderr;
  };
  expect(await stderrOf(["web"])).toBe(withoutStart);
  expect(await stderrOf(["web", "--start", "now-1h"])).toBe("");
  expect(await stderrOf(["web | where _time > ago(1h)"])).toBe("");
});

test.each([
  [
    "refuses",
    json(400, { code: 400, message: 'invalid field: "stauts"' }),
    'the service says "invalid field: "stauts""',
  ],
  [
    "warns of",
    json(200, {
      ...calm,
      status: { messages: [{ code: "missing_column", msg: 'no field "stauts"', priority: "warn" }] },
    }),
    'invalid field: the service says "no field "stauts"", nearest: "status"',
  ],
])("a field that the service %s is exit code 2, with advice", async (_, answer, problem) => {
  await using service = await startService(answer);
  const { code, stdout, stderr } = await run(service, ["['web'] | where stauts > 1"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(problem);
  expect(stderr).toContain('; for a field that may not be in any event yet, write column_ifexists("name", "")\n');
});

test("an estimate, and a result that was cut at the limit, are warnings", async () => {
  const cut = { code: "default_limit_warning", msg: "cut at 1000 rows", priority: "info" };
  await using service = await startService(json(200, { ...calm, status: { isEstimate: true, messages: [cut] } }));
  const { code, stderr } = await run(service, ["web"]);
  expect([code, stderr]).toEqual([
    0,
    'pulumi-event-datasets: the result is an estimate\npulumi-event-datasets: the service says "cut at 1000 rows"\n',
  ]);
});

test("the rows of a query keep an integer beyond 2^53 in every output", async () => {
  const answer = JSON.stringify(events({ id: 7 })).replace('"id":7', '"id":9007199254740993');
  await using service = await startService((response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  for (const output of ["table", "json"])
    expect((await run(service, ["web", "--output", output])).stdout).toMatch(/\b9007199254740993\b/);
});

describe("a query that fails", () => {
  test.each<[string, string[], string]>([
    ["no query", [], "a query is missing"],
    ["two queries", ["a", "b"], "query takes one query"],
    ["an unknown output", ["a", "--output", "xml"], "--output: must be one of table, json"],
    ["an invalid time", ["a", "--start", "yesterday"], "--start: must be an RFC 3339 timestamp"],
    [
      "a period that ends before it starts",
      ["a", "--start", "now", "--end", "now-1h"],
      "--start: must be before --end",
    ],
  ])("because of %s ends with 2 and sends nothing", async (_, args, message) => {
    await using service = await startService(json(200, calm));
    const { code, stdout, stderr } = await run(service, args);
    expect({ code, stdout, calls: service.calls }).toEqual({ code: 2, stdout: "", calls: [] });
    expect(stderr).toContain(message);
  });

  test("exits with 2 and the service's reason and place, but never the credential", async () => {
    const detail = { line: 1, column: 9, message: "unexpected |" };
    const explain = (message: string) => json(400, { code: 400, message, detail });
    await using bad = await startService(explain("unexpected |"), explain(`unexpected | ${credential}`));
    await using broken = await startService(hangUp);
    const refused = await run(bad, ["['web'] || count"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("line 1, column 9: unexpected |");
    expect((await run(bad, ["web"])).stderr).toContain("[left out: the text contains the access token]");
    expect(await run(broken, ["web"])).toMatchObject({ code: 2, stdout: "" });
  });

  test("without settings names the variables", async () => {
    const { code, stderr } = await run({ url: "" }, ["web"]);
    expect(code).toBe(2);
    expect(stderr).toContain("EVENT_DATASETS_BASE_URL");
  });
});

describe("all pages", () => {
  const page = (n: number, status: object) =>
    json(200, { ...events({ n, trace_id: "0a1b2c3d4e5f0a1b2c3d4e5f" }), status });
  const extended = { EVENT_DATASETS_PROFILE: "extended" };
  const all = ["['web'] | sort by _time", "--all", "--output"];

  test("are one result, without a warning that each page is cut at its limit", async () => {
    const cut = { code: "default_limit_warning", msg: "the result was cut at 1000 rows", priority: "warn" };
    const slow = { msg: "slow", priority: "warn" };
    const pages = () => [
      page(1, { minCursor: "a", maxCursor: "b", messages: [cut, slow] }),
      page(2, { messages: [slow] }),
    ];
    await using service = await startService(...pages(), ...pages());
    const { stdout, stderr } = await run(service, [...all, "json"], extended);
    expect(JSON.parse(stdout).map(({ matches }: { matches: unknown[] }) => matches.length)).toEqual([1, 1]);
    expect(stderr).toBe('pulumi-event-datasets: the service says "slow"\n');
    expect((await run(service, [...all, "table"], extended)).stdout.split("\n")).toHaveLength(5);
  });

  test("of a list that no cursor continues are its first page, with the warning that it is cut", async () => {
    const cut = { msg: "the result was cut at 1000 rows", code: "default_limit_warning", priority: "warn" };
    await using service = await startService(page(1, { messages: [cut] }));
    const { stderr } = await run(service, [...all, "json"], extended);
    expect(stderr).toBe('pulumi-event-datasets: the service says "the result was cut at 1000 rows"\n');
  });

  test("that fail in the middle are exit code 2, and nothing is printed", async () => {
    await using service = await startService(page(1, { minCursor: "a", maxCursor: "b" }), json(403, {}));
    expect(await run(service, [...all, "json"], extended)).toMatchObject({ code: 2, stdout: "" });
  });

  test("need the extended profile, and an error says so before anything is sent", async () => {
    await using service = await startService(page(1, {}));
    const { code, stderr } = await run(service, [...all, "json"]);
    expect([code, service.calls]).toEqual([2, []]);
    expect(stderr).toContain('is not in the profile "documented"');
  });
});

describe("on a terminal", () => {
  test.each([50, 80])(
    "a table fits %i columns and has a bold header, and times and ids stay whole",
    async (columns) => {
      const [time, id] = ["2026-11-20T10:00:00Z", "0a1b2c3d4e5f0a1b2c3d4e5f"];
      const row = events({ path: "/a".repeat(60), trace_id: id, agent: "b".repeat(60) });
      await using service = await startService(json(200, row));
      const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
      const { io, lines, progress } = fakeIo(env, { columns, colours: true });
      expect(await query.run(valuesOf("query"), io, "web")).toBe(0);
      const [head = "", ...rest] = lines;
      expect(head).toBe(styleText("bold", stripVTControlCharacters(head), { validateStream: false }));
      for (const line of rest) expect(line.length).toBeLessThanOrEqual(columns);
      expect(rest.join("\n")).toMatch(new RegExp(`^${time} .*${id}`, "m"));
      expect(progress).toEqual([]);
    },
  );
});
