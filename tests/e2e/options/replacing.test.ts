import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../../support/deployment";

// One stack: each test goes on where the one before it ended, since the engine takes seconds for each command.

const imports = `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
`;

const spec = { expiresAt: "2099-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } };

const token = (name: string, args: object, options = "{}") =>
  `export const ${name} = new ApiToken("${name}", ${JSON.stringify(args)}, ${options});\n`;

/** Declares a token as a hand-written provider would have. */
const earlier = `class EarlierToken extends pulumi.CustomResource {
  declare readonly token: pulumi.Output<string>;
  constructor(name: string, args: object) {
    const __provider = 'module.exports=require("pulumi-event-datasets/v1/api-token")';
    const options = { additionalSecretOutputs: ["token"] };
    super("pulumi-nodejs:dynamic:Resource", name, { ...args, token: undefined, __provider }, options);
  }
}
export const taken = new EarlierToken("taken", ${JSON.stringify({ ...spec, name: "fixed" })});
`;
const ignore = `{ ignoreChanges: ["orgCapabilities", "description"] }`;
const freeze = `{ ignoreChanges: ["*"] }`;
const changed = { ...spec, description: "new", orgCapabilities: { apiTokens: ["read", "create"] } };
const typeAlias = `{ aliases: [{ type: "pulumi-nodejs:dynamic:Resource" }] }`;
const takenOver = (options = "{}") => token("taken", { ...spec, name: "fixed" }, options);

interface Shown {
  readonly id: string;
  readonly name?: string | undefined;
  readonly token: string;
}
let deployment: Deployment;
let before: Readonly<Record<string, Shown>>;
let now: typeof before = {};
const readShown = async () => {
  const outputs = (await deployment.workspace.outputs({ showSecrets: true })) as Record<string, Shown>;
  return Object.fromEntries(Object.entries(outputs).map(([key, { id, name, token }]) => [key, { id, name, token }]));
};
const write = (...parts: string[]) => deployment.workspace.writeFile("index.ts", imports + parts.join(""));

beforeAll(async () => {
  const tokens = token("ignoring", spec, ignore) + token("frozen", spec) + token("ci", spec);
  const program = { "index.ts": imports + tokens + earlier };
  deployment = await createDeployment({ program });
  await deployment.workspace.up();
  before = await readShown();
});
afterAll(async () => deployment?.[Symbol.asyncDispose]());

test("an ignored argument, a renamed resource and a new type with an alias leave the token unchanged", async () => {
  await write(
    token("ignoring", changed, ignore),
    token("frozen", changed, freeze),
    token("build", spec, `{ aliases: [{ name: "ci" }] }`),
    takenOver(typeAlias),
  );
  const { stdout } = await deployment.workspace.up();
  expect(stdout).toMatch(/ApiToken build updated .*\[diff: ~key\]/);
  expect(stdout).toMatch(/~ 1 updated\n +4 unchanged/);
  await deployment.workspace.up({ args: ["--refresh", "--expect-no-changes"] });
  now = await readShown();
});

test("ignoreChanges: a change of an ignored argument changes nothing", () => {
  expect([now.ignoring, now.frozen]).toEqual([before.ignoring, before.frozen]);
  expect(deployment.service.tokens.list().find(({ id }) => id === before.ignoring?.id)).toMatchObject(spec);
});

test("aliases: a resource that was renamed keeps its token and its generated name", async () => {
  expect(now.build).toEqual(before.ci);
  expect((await deployment.resource("ApiToken", "build")).id).toBe(before.ci?.id);
});

test("aliases: a token that was declared under an earlier type token is taken over without a change", async () => {
  expect(now.taken).toEqual({ ...before.taken, name: "fixed" });
  expect((await deployment.resource("ApiToken", "taken")).type).toBe("pulumi-nodejs:event-datasets:ApiToken");
  expect(deployment.writes()).toEqual(Array(4).fill("POST /v2/tokens 200"));
  expect(await deployment.traces(String(before.taken?.token))).toEqual([]);
});

test("a replacement applies ignored changes and generates a new name; without ignoreChanges the change replaces the token", async () => {
  const expiresAt = "2098-01-01T00:00:00Z";
  await write(
    token("ignoring", { ...changed, expiresAt }, ignore),
    token("frozen", spec),
    token("build", { ...spec, description: "new" }),
    takenOver(),
  );
  const { stdout } = await deployment.workspace.up();
  expect([...stdout.matchAll(/:ApiToken (\w+) replaced /g)].map(([, name]) => name).sort()).toEqual([
    "build",
    "ignoring",
  ]);
  expect(stdout).toContain("+-2 replaced");
  expect(stdout).not.toMatch(/\d (created|updated|deleted)/);
  const { ignoring, build, frozen } = await readShown();
  expect(frozen).toEqual(before.frozen);
  // The engine checks the inputs of a replacement as those of a new resource, which has nothing to keep.
  const live = deployment.service.tokens.list().find(({ id }) => id === ignoring?.id);
  expect(live).toMatchObject({ ...changed, expiresAt });
  expect(build?.name).toMatch(/^build-[0-9a-f]{7}$/);
});
