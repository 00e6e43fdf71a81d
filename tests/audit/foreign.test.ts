import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { auditTokens, readState, readTerraformState, type StackState } from "../../audit";
import type { Token } from "../../sdk";
import { expiresAt, now, rulesOf } from "../support/audits";
import { baseUrl, credential, encrypted, exportOf, type RecordedStack } from "../support/states";

/** Terraform 1.11.4 with axiomhq/axiom 1.6.1 wrote these files; `live.json` is the list of the service. */
const fixture = async (name: string) =>
  JSON.parse(await readFile(path.join(__dirname, "../fixtures/terraform", name), "utf8"));

const policy = { version: 1, rules: { "never-expires": "off" } } as const;
const audit = (live: readonly Token[], stacks: readonly StackState[]) =>
  auditTokens({ baseUrl, credential, live, stacks, policy, now });

const bridgedType = "axiom:index/token:Token";
const urnOf = (type: string) => `urn:pulumi:prod::web::${type}::ci`;

/** A state with a resource of another type beside those of ours. */
function stateWith(type: string, more: object, recorded: RecordedStack = {}): StackState {
  const { deployment, ...rest } = JSON.parse(JSON.stringify(exportOf(recorded)));
  const resource = { custom: true, urn: urnOf(type), type, id: "t1", ...more };
  return readState({ ...rest, deployment: { ...deployment, resources: [...deployment.resources, resource] } }, "prod");
}

const rights = { web: { ingest: ["create"], query: ["read"] } };
const live = { id: "t1", name: "ci", expiresAt, datasetCapabilities: rights, orgCapabilities: { auditLog: ["read"] } };
const inputs = {
  __defaults: [],
  name: "ci",
  expiresAt,
  datasetCapabilities: { web: { ingests: ["create"], queries: ["read"], trims: [] } },
  orgCapabilities: { auditLogs: ["read"] },
};

test.each([
  [bridgedType, { inputs, outputs: { ...inputs, token: encrypted } }],
  ["pulumi-nodejs:dynamic:Resource", { inputs: { name: "ci" } }],
])("a token that a resource of the type %s has is foreign, not undeclared", (type, more) => {
  const { findings, failed } = audit([live], [stateWith(type, more)]);
  expect([rulesOf(findings), failed]).toEqual([["foreign t1"], false]);
  expect(findings[0]?.message).toContain(`API token "ci" (t1) is managed by ${urnOf(type)} (${type}, in prod)`);
});

test("a lookup and a resource that awaits its deletion leave the token undeclared", () => {
  for (const more of [{ external: true }, { delete: true }])
    expect(rulesOf(audit([live], [stateWith(bridgedType, more)]).findings)).toEqual(["undeclared t1"]);
});

describe("a token of the bridged provider", () => {
  const bridged = stateWith(bridgedType, { inputs });
  const found = (more: object, state = bridged) => rulesOf(audit([{ ...live, ...more }], [state]).findings);

  test("is compared as ours is, by the names of the service", () => {
    expect(found({ orgCapabilities: { auditLog: ["read"], rbac: ["create"] } })).toContain("escalated t1");
    expect(found({ expiresAt: "2028-01-01T00:00:00Z" })).toContain("escalated t1");
    expect(found({ datasetCapabilities: { web: { ingest: ["create"] } } })).toEqual(["changed t1", "foreign t1"]);
  });

  /** By the attribute of Terraform, the name behind the bridge: pulumi/inflector 0.2.1 wrote them for every list of `terraform.tfstate`. */
  test("is compared in every list that the Terraform provider has, by the bridge's own plurals", async () => {
    const names = await fixture("bridgeNames.json");
    const [{ instances }] = (await fixture("terraform.tfstate")).resources;
    const { dataset_capabilities, org_capabilities } = instances[0].attributes;
    const listsOf = (attributes: object, nameOf: (key: string) => string) =>
      Object.fromEntries(Object.keys(attributes).map((key) => [nameOf(key), ["read"]]));
    const serviceName = (key: string) => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const capabilities = (nameOf: (key: string) => string) => ({
      datasetCapabilities: { web: listsOf(dataset_capabilities.web, nameOf) },
      orgCapabilities: listsOf(org_capabilities, nameOf),
    });
    const declared = { ...inputs, ...capabilities((key) => names[key]) };
    expect(Object.values(declared.orgCapabilities)).toHaveLength(14);
    expect(found(capabilities(serviceName), stateWith(bridgedType, { inputs: declared }))).toEqual([
      "over-privileged t1", // a policy restricts rbac, whoever declares it
      "foreign t1",
    ]);
  });

  test("is not compared where its declaration has members that are not known", () => {
    const strange = stateWith(bridgedType, {
      inputs: { ...inputs, orgCapabilities: { auditLogs: ["read"], gates: ["read"] } },
    });
    expect(found({}, strange)).toEqual(["hidden-capabilities t1", "foreign t1"]);
    expect(found({}, stateWith(bridgedType, { inputs: { ...inputs, viewCapabilities: {}, later: [1] } }))).toContain(
      "hidden-capabilities t1",
    );
  });

  test("is shared with ours, unless ours only borrows it", () => {
    const ours = (more: object) => ({
      tokens: [{ id: "t1", name: "ci", inputs: { ...live, id: undefined, ...more } }],
    });
    const both = (more: object) => found({}, stateWith(bridgedType, { inputs }, ours(more)));
    expect(both({})).toEqual(["shared t1"]);
    expect(both({ adopt: { id: "t1" } })).toEqual(["foreign t1"]);
  });
});

describe("a Terraform state", () => {
  test.each(["terraform.tfstate", "show.json"])("declares the tokens of all modules: %s", async (name) => {
    const state = readTerraformState(await fixture(name), name);
    const result = audit(await fixture("live.json"), [state]);
    expect([rulesOf(result.findings).map((text) => text.split(" ")[0]), result.failed]).toEqual([
      ["foreign", "foreign", "foreign"],
      false,
    ]);
    expect(result.findings.map(({ declared }) => declared?.urn).sort()).toEqual([
      "axiom_token.ci",
      'module.m.axiom_token.many["a"]',
      'module.m.axiom_token.many["b"]',
    ]);
    const known = name === "show.json" ? {} : { lineage: "8a96c392-447e-d49f-67f4-8d64cdcdfe25", serial: 4 };
    expect(result.coverage.stacks).toEqual([{ source: name, origin: "terraform", tokens: 3, ...known }]);
    expect(JSON.stringify([state, result])).not.toContain("xaat-");
  });

  test("shows what was revoked, gained and prolonged", async () => {
    const state = readTerraformState(await fixture("terraform.tfstate"), "terraform.tfstate");
    const list: (Token & { orgCapabilities: object })[] = await fixture("live.json");
    const changed = list
      .filter(({ name }) => name !== "m-a")
      .map((token) => (token.name === "tf-ci" ? { ...token, orgCapabilities: { rbac: ["create"] } } : token));
    const { findings } = audit(changed as Token[], [state]);
    expect(findings.map(({ rule, token }) => `${rule} ${token.name}`)).toEqual(
      expect.arrayContaining(["missing m-a", "escalated tf-ci"]),
    );
  });

  test("declares with tainted and deposed instances, and not with data sources", async () => {
    const state = await fixture("terraform.tfstate");
    const [first] = state.resources;
    const [instance] = first.instances;
    const another = (id: string, more: object) => ({
      ...instance,
      ...more,
      attributes: { ...instance.attributes, id },
    });
    const instances = [another("t1", { status: "tainted" }), another("t2", { deposed: "0a1b2c3d" })];
    const resources = [
      { ...first, instances },
      { ...first, mode: "data", instances: [another("t3", {})] },
    ];
    const { others } = readTerraformState({ ...state, resources }, "state");
    expect(others.map(({ id }) => id)).toEqual(["t1", "t2"]);
  });

  test("keeps sensitive values out of every report", async () => {
    const state = await fixture("terraform.tfstate");
    const [{ instances }] = state.resources;
    instances[0].attributes.description = "canary";
    instances[0].sensitive_attributes.push([{ type: "get_attr", value: "description" }]);
    const read = readTerraformState(state, "state");
    expect(JSON.stringify([read, audit(await fixture("live.json"), [read])])).not.toContain("canary");
  });

  test("that is read twice is refused", async () => {
    const state = await fixture("terraform.tfstate");
    const twice = ["a", "b"].map((name) => readTerraformState(state, name));
    expect(() => audit([], twice)).toThrow("a and b have the same lineage");
  });

  test.each([
    ["encrypted", { serial: 1, lineage: "l", meta: {}, encrypted_data: "canary", encryption_version: "v0" }],
    ["a plan", { format_version: "1.2", planned_values: { root_module: {} }, resource_changes: [] }],
    ["empty", { format_version: "1.0" }],
    ["of another version", { version: 3, modules: [] }],
    ["without resources", { version: 4 }],
    ["no object", []],
    ["damaged", { version: 4, resources: [{ mode: "managed", type: "axiom_token", instances: 1 }] }],
    ["without an id", { version: 4, resources: [{ mode: "managed", type: "axiom_token", instances: [{}] }] }],
  ])("that is %s is unreadable, and the error quotes nothing of it", (_, state) => {
    const read = () => readTerraformState(state, "state.json");
    expect(read).toThrow(/^state\.json: not a readable Terraform state: [a-z ]+/i);
    expect(read).not.toThrow("canary");
  });
});
