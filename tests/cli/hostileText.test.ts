import { describe, expect, test } from "@jest/globals";
import { reportFormats } from "../../cli/manuals/audit";
import { useAuditFolder } from "../support/auditFolder";
import { expectHarmless, expectNoCommand, hostile } from "../support/hostile";
import { aplAnswer } from "../support/queryAnswers";
import { json, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";

// Every command that prints texts of others, in every format, as a user runs it, with every known attack at once: neither a
// terminal nor a CI system may act on what is printed. A command can print nothing that the functions of cli/text have not made
// printable, and tests/cli/text tries those with random texts.

const folder = useAuditFolder();

const together = hostile.join("");
const argument = together.replaceAll("\0", "");

interface Sample {
  readonly answer: unknown;
  readonly args: readonly string[];
  readonly status?: number;
  readonly env?: Record<string, string>;
  /** The format is exact: text that looks like a secret stays. */
  readonly isExact?: boolean;
}

async function expectSafe({ answer, args, status = 200, env = {}, isExact = false }: Sample) {
  await using service = await startService(json(status, answer));
  const { code, stdout, stderr } = await folder.run(args, service, env);
  expectHarmless(stdout, { mayHoldSecrets: isExact });
  expectHarmless(stderr);
  for (const text of [stdout, stderr]) expectNoCommand(text);
  for (const line of stderr.split("\n").filter((line) => line !== "")) expect(line).toMatch(/^pulumi-event-datasets: /);
  return { code, stdout };
}

const events = {
  ...aplAnswer,
  buckets: { series: [], totals: [] },
  matches: hostile.map((text) => ({ _time: "2026-11-20T10:00:00Z", data: { [text]: text, list: [text], text } })),
  status: { messages: hostile.map((text) => ({ msg: text, priority: "warn", count: 1 })) },
};
const tokens = hostile.map((text, n) => ({
  id: `t${n}${text}`,
  name: text,
  description: text,
  orgCapabilities: { rbac: [text] },
}));
const annotate = ["annotate", "--dataset", "web", "--title", argument];

test.each<[string, Sample]>([
  ["a list of tokens", { answer: tokens, args: ["tokens", "list"] }],
  ["a list of tokens in JSON, without a secret", { answer: tokens, args: ["tokens", "list", "--output", "json"] }],
  ["a program that adopts tokens", { answer: tokens, args: ["tokens", "adopt"], isExact: true }],
  ["the recording of a deployment", { answer: { id: together }, args: annotate }],
  ["a refusal", { answer: { message: together, code: together }, status: 400, args: [...annotate, "--", "true"] }],
  ["doctor", { answer: tokens, args: ["doctor"] }],
  [
    "doctor with a refusal and a variable that it does not know",
    {
      answer: { message: together },
      status: 403,
      args: ["doctor"],
      env: { [`EVENT_DATASETS_${argument.replaceAll("=", "").slice(0, 200)}`]: "x" },
    },
  ],
  ...[[argument], ["audit", `--${argument}`], ["tokens", argument], ["query", "web", `--output=${argument}`]].map(
    (args, n): [string, Sample] => [`mistake ${n} in the arguments`, { answer: [], args }],
  ),
])("%s is harmless", (_, sample) => expectSafe(sample));

test("a query is harmless, and its rows are exact in JSON", async () => {
  expect(await expectSafe({ answer: events, args: ["query", "web"] })).toMatchObject({ code: 0 });
  const { stdout } = await expectSafe({ answer: events, args: ["query", "web", "--output", "json"], isExact: true });
  expect(JSON.parse(stdout).matches).toEqual(JSON.parse(JSON.stringify(events)).matches);
});

describe("with a state that holds attacks", () => {
  test.each(reportFormats)("a report in %s is harmless", async (format) => {
    const recorded = hostile.map((text, n) => ({ name: text, id: `d${n}`, inputs: { description: text } }));
    await folder.write("state.json", exportOf({ tokens: recorded }));
    const args = ["audit", "--state", "state.json", "--output", format];
    // One declared token is live, which proves the account.
    const live = [...tokens, { id: "d0", name: "ci", description: together }];
    expect(await expectSafe({ answer: live, args })).toMatchObject({ code: 1 });
  });

  test("the diagnosis of an interrupted update is harmless", async () => {
    const recorded = hostile.map((text, n) => ({ name: text, id: `gone${n}${text}` }));
    const pending = hostile.map((text) => ({ name: text, inputs: generatedFrom(text) }));
    await folder.write("state.json", exportOf({ tokens: recorded, pending }));
    const env = { EVENT_DATASETS_PROFILE: "extended" };
    await expectSafe({ answer: tokens, args: ["recover", "--state", "state.json"], env });
  });
});
