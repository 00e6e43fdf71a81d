import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
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
  /** Lines that are commands for GitHub on purpose. */
  readonly command?: RegExp;
  /** A field of CSV may hold line ends and tabs. */
  readonly layout?: boolean;
}

function expectSafe({ stdout, stderr }: CommandResult, { secrets, command, layout }: Allowed = {}): void {
  const result = layout ? stdout.replaceAll(/\r\n|\t/g, " ") : stdout;
  expectHarmless(result, { mayHoldSecrets: secrets ?? false });
  expectNoCommand(
    result
      .split("\n")
      .filter((line) => !command?.test(line))
      .join("\n"),
  );
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
  const ci = { GITHUB_REF: "refs/pull/7/merge", GITHUB_API_URL: service.url, GITHUB_TOKEN: "t" };
  return await cli(args, { cwd: folder, env: { ...connection, ...ci, ...env } });
}

const extended = { EVENT_DATASETS_PROFILE: "extended" };
const rowFormats = ["table", "json", "ndjson", "csv"] as const;
const allowedIn = (format: string): Allowed => ({ secrets: format !== "table", layout: format === "csv" });

const eventsOf = (texts: readonly string[]) => ({
  ...aplAnswer,
  buckets: { series: [], totals: [] },
  matches: texts.map((text) => ({ _time: "2026-11-20T10:00:00Z", data: { [text]: text, list: [text], text } })),
  status: { messages: texts.map((text) => ({ msg: text, priority: "warn", count: 1 })) },
});

const tokensOf = (texts: readonly string[]) =>
  texts.map((text, n) => ({ id: `t${n}${text}`, name: text, description: text, orgCapabilities: { rbac: [text] } }));

const annotationsOf = (texts: readonly string[]) =>
  texts.map((text, n) => ({ id: `a${n}${text}`, title: text, type: text, url: text, datasets: [text], time: text }));

describe.each(rowFormats)("in %s", (format) => {
  test("a query is harmless", () =>
    forAllTexts(async (texts) => {
      const result = await run(eventsOf(texts), ["query", "web", "--output", format]);
      expect(result).toMatchObject({ code: 0 });
      expectSafe(result, allowedIn(format));
    }));

  test("lists of tokens and of annotations are harmless, and contain no secret", () =>
    forAllTexts(async (texts) => {
      const allowed = { layout: format === "csv" };
      expectSafe(await run(tokensOf(texts), ["tokens", "list", "--output", format]), allowed);
      expectSafe(await run(annotationsOf(texts), ["annotations", "list", "--output", format], extended), allowed);
    }));
});

test("the rows of a query are exact in JSON and in NDJSON", () =>
  forAllTexts(async (texts) => {
    const whole = await run(eventsOf(texts), ["query", "web", "--output", "json"]);
    const plain = JSON.parse(JSON.stringify(eventsOf(texts)));
    expect(JSON.parse(whole.stdout).matches).toEqual(plain.matches);
    const { stdout } = await run(eventsOf(texts), ["query", "web", "--output", "ndjson"]);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).text);
    expect(rows).toEqual(plain.matches.map(({ data }: { data: { text: string } }) => data.text));
  }));

test("a program that adopts tokens is harmless", () =>
  forAllTexts(async (texts) => {
    expectSafe(await run(tokensOf(texts), ["tokens", "adopt"]), { secrets: true });
  }));

describe.each(reportFormats)("a report in %s", (format) => {
  const command = /^::(error|warning|notice) file=Pulumi.yaml,line=1,title=[a-z-]+%3A [\w ]+::/;

  test("is harmless", () =>
    forAllTexts(async (texts) => {
      const tokens = texts.map((text, n) => ({ name: text, id: `d${n}`, inputs: { description: text } }));
      await writeFile(path.join(folder, "state.json"), JSON.stringify(exportOf({ tokens })));
      const args = ["audit", "--state", "state.json", "--output", format];
      // One declared token is live, which proves the account.
      const result = await run([...tokensOf(texts), { id: "d0", name: "ci", description: texts[0] }], args);
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 1, stderr: result.stderr });
      expectSafe(result, format === "github" ? { command } : {});
    }, 6));
});

test("the recording of a deployment is harmless with any response of the service", () =>
  forAllTexts(async (texts) => {
    const args = ["annotate", "--dataset", "web", "--title", texts.join("")];
    expectSafe(await run({ id: texts.join("") }, args));
    expectSafe(await run({ message: texts.join(""), code: texts.join("") }, [...args, "--", "true"], {}, 400));
  }));

test("a comment on a pull request prints no text of the forge", () =>
  forAllTexts(async (texts) => {
    await writeFile(path.join(folder, "audit.md"), "## clean\n");
    const comments = texts.map((text, id) => ({ id, body: text, user: { login: text } }));
    expectSafe(await run(comments, ["comment", "--file", "audit.md"], { GITHUB_REPOSITORY: "acme/web" }));
    const strange = { GITHUB_REPOSITORY: texts.join("").replaceAll("\0", "") };
    expectSafe(await run({ message: texts.join("") }, ["comment", "--file", "audit.md"], strange, 403));
  }));

test("doctor is harmless with any response of the service and any variables", () =>
  forAllTexts(async (texts) => {
    const name = `EVENT_DATASETS_${texts.join("").replaceAll(/[\0=]/g, "").slice(0, 200)}`;
    expectSafe(await run({ message: texts.join("") }, ["doctor"], { [name]: "x" }, 403));
    expectSafe(await run(tokensOf(texts), ["doctor", "--cwd", texts.join("").replaceAll("\0", "").slice(0, 80)]));
  }, 6));

test("the diagnosis of an interrupted update is harmless with any state and backend", () =>
  forAllTexts(async (texts) => {
    const tokens = texts.map((text, n) => ({ name: text, id: `gone${n}${text}` }));
    const pending = texts.map((text) => ({ name: text, inputs: generatedFrom(text) }));
    await writeFile(path.join(folder, "state.json"), JSON.stringify(exportOf({ tokens, pending })));
    const stacks = path.join(folder, "backend/.pulumi/stacks/web");
    await mkdir(stacks, { recursive: true });
    const stack = `s${texts
      .join("")
      .replaceAll(/[\0/]/g, "")
      .replaceAll(/\p{Cs}/gu, "")
      .slice(0, 50)}`;
    await writeFile(path.join(stacks, `${stack}.json.attrs`), "");
    const args = ["recover", "--state", "state.json", "--backend", `file://${folder}/backend`];
    expectSafe(await run(tokensOf(texts), args, extended));
    await rm(path.join(folder, "backend"), { recursive: true });
  }));

test("a mistake in the arguments is printed harmlessly", () =>
  forAllTexts(async (texts) => {
    const text = texts.join("").replaceAll("\0", "");
    const lines = [[text || "x"], ["audit", `--${text}`], ["tokens", text], ["query", "web", `--output=${text}`]];
    for (const args of lines) expectSafe(await run([], args));
  }));
