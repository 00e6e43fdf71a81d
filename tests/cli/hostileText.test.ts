import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { reportFormats } from "../../cli/reports";
import { cli } from "../support/cli";
import type { CommandResult } from "../support/command";
import { expectHarmless, expectNoCommand, fromService, hostile } from "../support/hostile";
import { aplAnswer } from "../support/queryAnswers";
import { json, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";

// Every command that prints texts of others, in every format, as a user runs it: whatever those texts are, neither a terminal nor a
// CI system may act on what is printed.

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hostile-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** The text that a run may print besides harmless text. */
interface Allowed {
  /** The format is exact: text that looks like a secret stays. */
  readonly secrets?: boolean;
}

function expectSafe({ stdout, stderr }: CommandResult, { secrets }: Allowed = {}): void {
  expectHarmless(stdout, { mayHoldSecrets: secrets ?? false });
  expectNoCommand(stdout);
  expectHarmless(stderr);
  expectNoCommand(stderr);
  for (const line of stderr.split("\n").filter((line) => line !== "")) expect(line).toMatch(/^event-datasets: /);
}

/** Runs with every known attack at once, and then with random texts. */
async function forAllTexts(check: (texts: readonly string[]) => Promise<void>, numRuns = 20): Promise<void> {
  await check(hostile);
  await fc.assert(fc.asyncProperty(fc.array(fromService, { minLength: 1, maxLength: 4 }), check), { numRuns });
}

type Env = Readonly<Record<string, string>>;

async function run(answer: unknown, args: readonly string[], env: Env = {}, status = 200): Promise<CommandResult> {
  await using service = await startService(json(status, answer));
  const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-canary-7d21" };
  return await cli(args, { cwd: folder, env: { ...connection, ...env } });
}

const extended = { EVENT_DATASETS_PROFILE: "extended" };
const rowFormats = ["table", "json"] as const;
const allowedIn = (format: string): Allowed => ({ secrets: format !== "table" });

const eventsOf = (texts: readonly string[]) => ({
  ...aplAnswer,
  buckets: { series: [], totals: [] },
  matches: texts.map((text) => ({ _time: "2026-11-20T10:00:00Z", data: { [text]: text, list: [text], text } })),
  status: { messages: texts.map((text) => ({ msg: text, priority: "warn", count: 1 })) },
});

const tokensOf = (texts: readonly string[]) =>
  texts.map((text, n) => ({ id: `t${n}${text}`, name: text, description: text, orgCapabilities: { rbac: [text] } }));

describe.each(rowFormats)("in %s", (format) => {
  test("a query is harmless", () =>
    forAllTexts(async (texts) => {
      const result = await run(eventsOf(texts), ["query", "web", "--output", format]);
      expect(result).toMatchObject({ code: 0 });
      expectSafe(result, allowedIn(format));
    }));

  test("a list of tokens is harmless, and contains no secret", () =>
    forAllTexts(async (texts) => {
      expectSafe(await run(tokensOf(texts), ["tokens", "list", "--output", format]));
    }));
});

test("the rows of a query are exact in JSON", () =>
  forAllTexts(async (texts) => {
    const whole = await run(eventsOf(texts), ["query", "web", "--output", "json"]);
    const plain = JSON.parse(JSON.stringify(eventsOf(texts)));
    expect(JSON.parse(whole.stdout).matches).toEqual(plain.matches);
  }));

test("a program that adopts tokens is harmless", () =>
  forAllTexts(async (texts) => {
    expectSafe(await run(tokensOf(texts), ["tokens", "adopt"]), { secrets: true });
  }));

describe.each(reportFormats)("a report in %s", (format) => {
  test("is harmless", () =>
    forAllTexts(async (texts) => {
      const tokens = texts.map((text, n) => ({ name: text, id: `d${n}`, inputs: { description: text } }));
      await writeFile(path.join(folder, "state.json"), JSON.stringify(exportOf({ tokens })));
      const args = ["audit", "--state", "state.json", "--output", format];
      // One declared token is live, which proves the account.
      const result = await run([...tokensOf(texts), { id: "d0", name: "ci", description: texts[0] }], args);
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 1, stderr: result.stderr });
      expectSafe(result);
    }, 6));
});

test("the recording of a deployment is harmless with any response of the service", () =>
  forAllTexts(async (texts) => {
    const args = ["annotate", "--dataset", "web", "--title", texts.join("")];
    expectSafe(await run({ id: texts.join("") }, args));
    expectSafe(await run({ message: texts.join(""), code: texts.join("") }, [...args, "--", "true"], {}, 400));
  }));

test("doctor is harmless with any response of the service and any variables", () =>
  forAllTexts(async (texts) => {
    const name = `EVENT_DATASETS_${texts.join("").replaceAll(/[\0=]/g, "").slice(0, 200)}`;
    expectSafe(await run({ message: texts.join("") }, ["doctor"], { [name]: "x" }, 403));
    expectSafe(await run(tokensOf(texts), ["doctor"]));
  }, 6));

test("the diagnosis of an interrupted update is harmless with any state", () =>
  forAllTexts(async (texts) => {
    const tokens = texts.map((text, n) => ({ name: text, id: `gone${n}${text}` }));
    const pending = texts.map((text) => ({ name: text, inputs: generatedFrom(text) }));
    await writeFile(path.join(folder, "state.json"), JSON.stringify(exportOf({ tokens, pending })));
    const args = ["recover", "--state", "state.json"];
    expectSafe(await run(tokensOf(texts), args, extended));
  }));

test("a mistake in the arguments is printed harmlessly", () =>
  forAllTexts(async (texts) => {
    const text = texts.join("").replaceAll("\0", "");
    const lines = [[text || "x"], ["audit", `--${text}`], ["tokens", text], ["query", "web", `--output=${text}`]];
    for (const args of lines) expectSafe(await run([], args));
  }));
