import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import type { ResourceValidationArgs } from "@pulumi/policy";
import type { Policy } from "../../../audit";
import { findPolicy } from "../../../audit/pack/file";
import { eventDatasetsPolicies } from "../../../audit/pack/policies";
import { CHECKOUT } from "../../support/program";
import { makeFolder } from "../../support/suite";

// The library's own, which refuses to show what is not known.
const { unknownCheckingProxy, unknownStringValue } = require("@pulumi/policy/proxy");

const type = "pulumi-nodejs:event-datasets:ApiToken";

async function judge(policy: Omit<Policy, "version">, props: object, ofType = type): Promise<string[]> {
  const said: string[] = [];
  for (const { name, enforcementLevel, validateResource } of eventDatasetsPolicies({
    policy: { version: 1, ...policy },
  })) {
    if (enforcementLevel === "disabled" || typeof validateResource !== "function") continue;
    const args = { type: ofType, urn: `urn:pulumi:prod::web::${ofType}::ci`, props: unknownCheckingProxy(props) };
    await validateResource(args as ResourceValidationArgs, (message) =>
      said.push(`${enforcementLevel} ${name}: ${message}`),
    );
  }
  return said;
}

const never = "never-expires: it never expires: declare expiresAt or expiresIn (the policy)";

test.each<[string, Omit<Policy, "version">, string[]]>([
  ["advisory", {}, [`advisory ${never}`]],
  ["mandatory if it fails an audit", { rules: { "never-expires": "error" } }, [`mandatory ${never}`]],
  ["mandatory if warnings fail an audit", { failOn: "warning" }, [`mandatory ${never}`]],
  [
    "advisory if nothing fails an audit",
    { failOn: "none", rules: { "never-expires": "error" } },
    [`advisory ${never}`],
  ],
  ["a note", { rules: { "never-expires": "note" } }, [`advisory ${never}`]],
  ["off", { rules: { "never-expires": "off" } }, []],
])("a rule's weight in the audit decides what the engine does: %s", async (_, policy, said) => {
  expect(await judge(policy, { name: "ci" })).toEqual(said);
});

test("tokens of the native provider are judged too, and nothing else is", async () => {
  expect(await judge({}, { name: "ci" }, "event-datasets:index:ApiToken")).toEqual([`advisory ${never}`]);
  expect(await judge({}, { name: "ci" }, "pulumi-nodejs:event-datasets:Annotation")).toEqual([]);
});

test("what the update computes is not judged clean, however deep it lies", async () => {
  const notKnownYet = "cannot be checked before the update, because this is not known yet";
  expect(await judge({}, { name: "ci", expiresAt: unknownStringValue })).toEqual([
    `advisory unchecked: never-expires ${notKnownYet}: expiry (the policy)`,
  ]);
  expect(
    await judge({}, { name: "ci", expiresIn: "1d", orgCapabilities: { rbac: ["read", unknownStringValue] } }),
  ).toContain(`advisory unchecked: over-privileged ${notKnownYet}: orgCapabilities (the policy)`);
  expect(await judge({ rules: { unchecked: "error" } }, { name: "ci", expiresAt: unknownStringValue })).toEqual([
    expect.stringMatching(/^mandatory unchecked/),
  ]);
  // Nobody asks for it.
  expect(await judge({ rules: { "never-expires": "off" } }, { name: "ci", expiresAt: unknownStringValue })).toEqual([]);
});

const folder = makeFolder();

test("the policy is that of the nearest file above the pack, or the one that is named", async () => {
  const pack = path.join(folder, "node_modules/pulumi-event-datasets/policy");
  await mkdir(pack, { recursive: true });
  expect(() => findPolicy(pack, {})).toThrow(/there is no event-datasets.audit.json in .* EVENT_DATASETS_POLICY_FILE/);
  const file = path.join(folder, "event-datasets.audit.json");
  await writeFile(file, `{ "version": 1, "maxLifetime": "90d" }`);
  const found = { policy: { version: 1, maxLifetime: "90d" }, source: "event-datasets.audit.json" };
  expect(findPolicy(pack, {})).toEqual(found);
  expect(findPolicy("/", { EVENT_DATASETS_POLICY_FILE: file })).toEqual(found);
  expect(() => findPolicy("/", { EVENT_DATASETS_POLICY_FILE: "x.json" })).toThrow("must be an absolute path");
  expect(() => findPolicy("/", { EVENT_DATASETS_POLICY_FILE: `${file}x` })).toThrow("cannot be read (ENOENT)");
  await writeFile(file, `{ "version": 1, "maxLifetme": "90d" }`);
  expect(() => findPolicy(pack, {})).toThrow("maxLifetme: is not known");
  await writeFile(file, "canary");
  expect(() => findPolicy(pack, {})).toThrow(/not valid JSON$/);
  await rm(file);
  await symlink("gone.json", file); // its owner wants a policy
  expect(() => findPolicy(pack, {})).toThrow("cannot be read (ENOENT)");
});

/** Starts the pack as the engine does. */
async function startPack(env: NodeJS.ProcessEnv): Promise<{ readonly port: string; readonly stderr: string }> {
  const host = path.join(CHECKOUT, "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  const child = spawn(process.execPath, [host, "127.0.0.1:1", "."], { cwd: path.join(CHECKOUT, "audit/pack"), env });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  let port = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    port += chunk;
    child.kill();
  });
  await once(child, "close");
  return { port: port.trim(), stderr };
}

test("the published folder starts as a policy pack, and says in one line why it does not", async () => {
  const file = path.join(folder, "named.json");
  await writeFile(file, `{ "version": 1 }`);
  const { PATH } = process.env;
  expect((await startPack({ PATH, EVENT_DATASETS_POLICY_FILE: file })).port).toMatch(/^\d+$/);
  const { port, stderr } = await startPack({ PATH, EVENT_DATASETS_POLICY_FILE: "relative.json" });
  expect(port).toBe("");
  expect(stderr).toContain("EVENT_DATASETS_POLICY_FILE: must be an absolute path");
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("the pack's version is the package's", async () => {
  const [own, whole] = await Promise.all(
    ["audit/pack/package.json", "package.json"].map(async (file) =>
      JSON.parse(await readFile(path.join(CHECKOUT, file), "utf8")),
    ),
  );
  expect(own.version).toBe(whole.version);
});
