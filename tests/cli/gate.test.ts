import { expect, test } from "@jest/globals";
import { gate } from "../../cli/gate";
import { environmentOf } from "../../emulator/emulator";
import { builtCli } from "../support/checkout";
import { cli } from "../support/cli";
import { start } from "../support/command";
import { events, oneValue } from "../support/queryAnswers";
import { type Behaviour, json, type ScriptedService, startService } from "../support/service";
import { fakeIo, valuesOf } from "./fakeIo";

const apl = "['web'] | where status >= 500 | summarize count()";
const quick = ["--every", "1s", "--for", "1s"];

const connectionTo = ({ url }: Pick<ScriptedService, "url">) =>
  environmentOf({ url, rootToken: "xaat-canary-7d21", profile: "documented" });

const run = (service: Pick<ScriptedService, "url">, args: readonly string[]) =>
  cli(["gate", ...args], { env: connectionTo(service) });

/** A value that arrives with the first events of a new release. */
const unknownField = json(400, { code: 400, message: 'invalid field: "ring"' });
const failing = json(503, { message: "down" }, { "retry-after": "60", "x-axiom-trace-id": "4bf92f35" });

test("exits with 0 at the first value within the bounds, and asks for the last five minutes", async () => {
  await using service = await startService(oneValue(9), oneValue(3));
  const { code, stdout, stderr } = await run(service, [apl, "--max", "5", "--every", "1s"]);
  expect([code, stdout]).toEqual([0, "the gate passed with 3 (2 attempts)\n"]);
  expect(stderr).toMatch(
    /^pulumi-event-datasets: attempt 1: the value is 9; expected at most 5; next attempt in 1 s, [\d.]+ s left\npulumi-event-datasets: attempt 2: passed with 3\n$/,
  );
  const { startTime, endTime } = JSON.parse(service.requests[0]?.body ?? "");
  expect(Date.parse(endTime) - Date.parse(startTime)).toBe(300_000);
});

test.each<[string, Behaviour, string[], string]>([
  ["a value out of bounds", oneValue(9), ["--max", "5"], " in 1s): the value is 9"],
  ["a field that no event has", unknownField, ["--max", "5"], 'invalid field: "ring"'],
  ["one row of a column", events({ n: 1 }, { n: 9 }), ["--column", "n", "--max", "5"], "row 2 of 2: the value is 9"],
])("exits with 1 at %s, and says what was expected", async (_, answer, args, problem) => {
  await using service = await startService(answer);
  const { code, stdout } = await run(service, [apl, ...args, ...quick]);
  expect(code).toBe(1);
  expect(stdout).toContain("the gate did not pass (");
  expect(stdout).toContain(problem);
  expect(stdout).toContain(`\n  query: ${apl}\n`);
});

test.each<[string, Behaviour, string]>([
  ["no response has a value", failing, "503: "],
  ["the query is refused", json(400, { message: "line 1: syntax" }), "syntax"],
  ["the access token is refused", json(401, { message: "no" }), "is not valid"],
])("exits with 2 if %s", async (_, answer, problem) => {
  await using service = await startService(answer);
  const { code, stdout, stderr } = await run(service, [apl, "--max", "5", ...quick]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(problem);
});

test("exits with 1 if a value was out of bounds before the query was refused", async () => {
  await using service = await startService(oneValue(9), json(401, { message: "no" }));
  const { code, stdout } = await run(service, [apl, "--max", "5", "--every", "1s"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("the gate did not pass (2 attempts in 5m): POST")]);
});

test("a text, a number and a flag are compared as such", async () => {
  await using service = await startService(oneValue("5"), oneValue(5), oneValue(true), oneValue("ok"));
  for (const equals of ['"5"', "5", "true", "ok"])
    expect([equals, (await run(service, [apl, "--equals", equals, ...quick])).code]).toEqual([equals, 0]);
});

test.each([
  [[], "a query is missing"],
  [[apl], "a bound is missing: --min, --max or --equals"],
  [[apl, "--max", "many"], "--max must be a number"],
  [[apl, "--max", "1", "--min", "5"], "--min must not be above max"],
  [[apl, "--max", "1", "--every", "soon"], "--every must be a duration such as 15s, 5m or 1h"],
  [[apl, "--max", "1", "--for", "1m", "--settle", "2m"], "--settle must be shorter than for"],
  [[apl, "--max", "1", "--for", "P1M"], "--for must not use months, whose length varies"],
])("exits with 2 for %j", async (args, problem) => {
  const { code, stderr } = await run({ url: "http://127.0.0.1:1" }, args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
});

test("a log gets a line for each change; a terminal shows the last attempt", async () => {
  await using service = await startService(failing, failing, oneValue(9), oneValue(9), oneValue(9), oneValue(1));
  const values = valuesOf("gate", "--max", "5", "--every", "1s", "--for", "1m");
  const log = fakeIo(connectionTo(service), { progress: undefined });
  expect(await gate.run(values, log.io, apl)).toBe(0);
  expect(log.warnings.map((line) => line.slice(0, 11))).toEqual(["attempt 1: ", "attempt 3: ", "attempt 6: "]);

  await using second = await startService(oneValue(9), oneValue(1));
  const terminal = fakeIo(connectionTo(second));
  expect(await gate.run(values, terminal.io, apl)).toBe(0);
  expect(terminal.warnings).toEqual([]);
  expect(terminal.progress.map((line) => line.slice(0, 11))).toEqual(["attempt 1: ", "attempt 2: ", ""]);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it at once", async (signal) => {
  await using service = await startService(oneValue(9));
  const args = [builtCli(), "gate", apl, "--max", "5", "--every", "1h", "--for", "2h"];
  const running = await start(process.execPath, args, { cwd: "/", env: { ...connectionTo(service) } });
  await running.printed("attempt 1");
  running.kill(signal);
  expect(await running.done).toMatchObject({ signal, stdout: "" });
});
