import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { hostedAnnotation } from "../../provider/nouns/annotation/lifecycle";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/nouns/deploymentAnnotation/lifecycle";
import { hostedQueryGate } from "../../provider/nouns/queryGate/lifecycle";
import type { Hosted } from "../../provider/shared/account/connection";
import { CHECKOUT, requireBuild } from "../support/checkout";
import { findReasons, startHost } from "../support/host";
import { json, startService } from "../support/service";

const canary = "canary-of-an-input";

/** Everything that a user sees of a create which the service refuses with words that repeat the request. */
async function refuse(hosted: Hosted, inputs: Bag, status: number): Promise<string> {
  await using service = await startService(json(status, { message: `${canary} cannot be used` }));
  const lines: string[] = [];
  const tell = async (line: string) => void lines.push(line);
  const host = startHost({ baseUrl: service.url }, { warn: tell, inform: tell });
  const failure = await new Hooks(hosted, host).create(inputs).then(
    () => "",
    (e: Error) => `${e.stack} ${JSON.stringify(e.cause)}`,
  );
  return [failure, ...lines].join("\n");
}

const gate = { apl: canary, startTime: "a", endTime: "b", expect: { max: 1 }, triggers: { a: 1 } };
const deployed = { datasets: ["web"], title: canary, type: "deploy", startedAt: "2026-11-21T12:00:00Z", trigger: "c" };

test.each<[string, Hosted, Bag, string]>([
  ["a token", hostedApiToken, {}, "description"],
  ["an annotation", hostedAnnotation, { datasets: ["web"] }, "description"],
])("a request of %s that is too long to be sent is refused by the check", async (_, hosted, inputs, key) => {
  const check = (length: number) => findReasons(hosted, { key: "ci", ...inputs, [key]: "é".repeat(length) });
  expect(await check(520_000)).toEqual([]);
  expect(await check(530_000)).toEqual([
    expect.stringMatching(
      new RegExp(`^${key} is too long: the request would have 10\\d{5} bytes, and the limit is 1048576$`),
    ),
  ]);
});

test.each<[string, Hosted, Bag, string, number]>([
  ["a token", hostedApiToken, { name: "ci", chosenName: true, description: canary }, "description", 409],
  ["an annotation", hostedAnnotation, { datasets: ["web"], title: canary }, "title", 500],
  ["a required deployment annotation", hostedDeploymentAnnotation, { ...deployed, required: true }, "title", 500],
  ["a deployment annotation", hostedDeploymentAnnotation, deployed, "title", 503],
  ["a gate", hostedQueryGate, gate, "apl", 400],
])("the service's words about a secret of %s are left out", async (_, hosted, inputs, secret, status) => {
  const shown = await refuse(hosted, { key: "ci", ...inputs }, status);
  expect(shown).toContain(`the service says "${canary} cannot be used"`);
  const hidden = await refuse(hosted, { key: "ci", ...inputs, secretInputs: [secret] }, status);
  expect(hidden).toContain(`: ${status}: the service's message is hidden because an argument is secret`);
  expect(hidden).not.toContain(canary);
});

// Jest runs with the contexts of Node.js 24 where it can (scripts/bootstrap.mjs). This process has the ones of its Node.js.
test("the service's words are left out in a process without options, too", async () => {
  requireBuild();
  await using service = await startService(json(409, { message: `${canary} cannot be used` }));
  const script = `
    const { EventDatasets } = require("./dist/sdk");
    const { withDiscretion } = require("./dist/values/discretion");
    const client = new EventDatasets({ baseUrl: ${JSON.stringify(service.url)}, accessToken: "xaat-1" });
    const create = () => client.tokens.create({ name: "ci" }).catch(({ message }) => console.log(message));
    Promise.all([withDiscretion(create), create()]).then(() => undefined);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd: CHECKOUT, env: {} });
  expect(stdout.trim().split("\n").sort()).toEqual([
    expect.stringMatching(/: 409: the service says "canary-of-an-input cannot be used"/),
    expect.stringMatching(/: 409: the service's message is hidden because an argument is secret/),
  ]);
});
