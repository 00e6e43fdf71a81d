import { expect, test } from "@jest/globals";
import { createDeployment, due, untilDue } from "../support/deployment";

const quiet = `expiresIn: "90d", rotation: { rotateBefore: "14d" }`;

const program = (rotation: string) => `import { ApiToken } from "pulumi-event-datasets";
const ci = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] }, ${rotation} });
export const { id, token, expiresAt, rotatesAt, fingerprint } = ci;
`;

test("a token that is due, or whose trigger or capability changed, is replaced; the preview says why, and a refresh sees no change", async () => {
  /** Three tokens: one that comes into its window, one whose trigger changes, one that gets another capability. */
  const three = (rotation: string, release: string, capabilities: string) => `${program(rotation)}
new ApiToken("triggered", { rotation: { triggers: { release: "${release}" } } });
new ApiToken("capable", { orgCapabilities: { apiTokens: ${capabilities} }, ${quiet} });
`;
  const [first, then] = [three(quiet, "1", '["read"]'), three(due, "2", '["create", "read"]')];
  await using deployment = await createDeployment({ program: { "index.ts": first } });
  const { workspace, service } = deployment;
  await workspace.up();
  const before = await workspace.outputs({ showSecrets: true });
  expect(service.tokens.list()).toContainEqual(expect.objectContaining({ id: before.id, expiresAt: before.expiresAt }));
  const day = (text: unknown) => Date.parse(String(text)) / 86_400_000;
  expect(day(before.expiresAt) - day(before.rotatesAt)).toBe(14);
  expect(before.fingerprint).toMatch(/^[0-9a-f]{12}$/);

  await untilDue(service);
  await workspace.writeFile("index.ts", then);
  await workspace.refresh({ args: ["--expect-no-changes"] });
  const { stdout } = await workspace.preview();
  expect(stdout).toContain(
    `(id ${before.id}) will be replaced, which creates a new secret: expires ${String(before.expiresAt).slice(0, 10)}, inside the P89DT23H59M59S window.`,
  );
  for (const [name, reason] of Object.entries({ triggered: "rotation.triggers.release", capable: "orgCapabilities" })) {
    expect(stdout).toMatch(
      new RegExp(`"${name}-[0-9a-f]{7}" .* will be replaced, which creates a new secret: ${reason} changed\\.`),
    );
  }
  await workspace.up();

  await workspace.writeFile("index.ts", then.replace(due, quiet));
  await workspace.up();
  const after = await workspace.outputs({ showSecrets: true });
  expect(after.token).not.toBe(before.token);
  expect(after.fingerprint).not.toBe(before.fingerprint);
  // The documented profile leaves the old ones to their expiry.
  expect(service.tokens.list()).toHaveLength(6);
  expect(service.tokens.list().map(({ id }) => id)).toEqual(expect.arrayContaining([before.id, after.id]));
  for (const secret of [before.token, after.token]) expect(await deployment.traces(String(secret))).toEqual([]);
});

test("a consumer takes the new secret while the old one still works: the old token is deleted last", async () => {
  const consumer = `${program(quiet)}
import * as pulumi from "@pulumi/pulumi";
/** Stands for whatever takes up the secret. When it gets another one, it tries both. */
class Consumer extends pulumi.CustomResource {
  declare readonly statuses: pulumi.Output<number[]>;
  constructor(name: string, secret: pulumi.Input<string>) {
    const __provider = 'exports.handler=()=>require("./consumer.js")';
    super("pulumi-nodejs:test:Consumer", name, { secret, statuses: undefined, __provider });
  }
}
export const { statuses } = new Consumer("consumer", ci.token);
`;
  await using deployment = await createDeployment({
    program: {
      "index.ts": consumer,
      "consumer.js": `const statusOf = async (secret) => {
  const headers = { authorization: "Bearer " + secret };
  return (await fetch(process.env.EVENT_DATASETS_BASE_URL + "/v2/tokens", { headers })).status;
};
exports.diff = async (id, olds, news) => ({ changes: olds.secret !== news.secret });
exports.create = async ({ secret }) => ({ id: "consumer", outs: { secret, statuses: [] } });
exports.update = async (id, { secret: held }, { secret }) => ({
  outs: { secret, statuses: [await statusOf(held), await statusOf(secret)] },
});
`,
    },
    profile: "extended",
  });
  const { workspace, service } = deployment;
  await workspace.up();
  const [old] = service.tokens.list();

  await untilDue(service);
  await workspace.writeFile("index.ts", consumer.replace(quiet, due));
  await workspace.up();
  expect((await workspace.outputs({ showSecrets: true })).statuses).toEqual([200, 200]);
  expect(service.tokens.list().map(({ id }) => id)).not.toContain(old?.id);
});
