import { beforeAll, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, forms, inForm } from "../support/program";
import { openForTests } from "../support/suite";

// One stack with all resources in both forms: each test goes on where the one before it ended, since the engine takes seconds for
// each command.

const capabilities = { apiTokens: ["create", "read"], annotations: ["create"] };
const expiresAt = "2030-01-01T00:00:00Z";

const first = (key: "ci" | "other", orgCapabilities = capabilities) =>
  `  const ${key} = new ApiToken(form + "-${key}", ${JSON.stringify({ expiresAt, orgCapabilities })});\n`;
const changed = first("ci", { ...capabilities, apiTokens: ["read"] });

const program = (title: string, ...parts: string[]) => `${bothForms}
export const results = inBothForms((form, { Annotation, ApiToken }) => {
  new Annotation(form + "-deployed", { datasets: [form], type: "deploy", title: "${title}" });
  new ApiToken(form + "-fixed", { name: form + "-fixed" });
  let found: object | undefined;
${parts.join("")}
  return { id: ci.id, name: ci.name, token: ci.token, found };
});
`;

const files = { "index.ts": program("1.4", first("ci"), first("other")) };
const deployment = openForTests(() => createDeployment(inForm("both", { program: files })));
/** Of the first `ci` of each form. */
let secrets: readonly string[];
let firstIds: readonly (string | undefined)[];
/** The results of the program's lookups, by form. */
let found: readonly unknown[];

/** The secrets as a consumer gets them, by form. */
const readSecrets = async () => {
  const { results } = await deployment.workspace.outputs({ showSecrets: true });
  return (results as readonly { token: string }[]).map(({ token }) => token);
};

const liveTokens = (name: string) =>
  deployment.service.tokens.list().filter((live) => String(live.name).replace(/-[0-9a-f]{7}$/, "") === name);
const firstsOf = (name: string) => forms.map((form) => liveTokens(`${form}-${name}`)[0]);

const created = [...Array<string>(2).fill("POST /v2/annotations 201"), ...Array<string>(6).fill("POST /v2/tokens 200")];

beforeAll(async () => {
  await deployment.workspace.up();
  secrets = await readSecrets();
  firstIds = firstsOf("ci").map((live) => live?.id);
});

test("a token is created once, works, stays a secret everywhere, and a second update with a refresh changes nothing", async () => {
  const { workspace, service } = deployment;
  expect(await Promise.all(secrets.map(deployment.statusFor))).toEqual([200, 200]);
  const hidden = expect.objectContaining({ token: "[secret]" });
  expect((await workspace.outputs()).results).toEqual([hidden, hidden]);
  for (const form of forms) {
    expect(liveTokens(`${form}-ci`)).toEqual([
      {
        id: expect.any(String),
        name: expect.stringMatching(new RegExp(`^${form}-ci-[0-9a-f]{7}$`)),
        expiresAt,
        orgCapabilities: capabilities,
      },
    ]);
  }
  await workspace.up({ args: ["--refresh", "--expect-no-changes"] });
  expect(await readSecrets()).toEqual(secrets);
  expect(deployment.writes().sort()).toEqual(created);

  for (const form of forms) {
    const { inputs, outputs } = await deployment.resource("ApiToken", `${form}-ci`);
    expect(outputs?.token).toEqual(expect.objectContaining({ ciphertext: expect.any(String) }));
    expect(inputs).not.toHaveProperty("token");
    expect(String(inputs?.__provider).length).toBeLessThan(100);
  }
  expect(await deployment.traces(...secrets, service.rootToken)).toEqual([]);
});

test("a change creates the new token first, and says which token stays valid", async () => {
  const { workspace } = deployment;
  const old = firstsOf("ci");
  const ids = Object.fromEntries(forms.map((form, at) => [form, firstsOf("other")[at]?.id]));
  const lookup = `  found = ApiToken.get(form + "-found", ${JSON.stringify(ids)}[form]);\n`;
  await workspace.writeFile("index.ts", program("1.5", changed, first("other"), lookup));
  const { stdout } = await workspace.up();
  for (const form of forms)
    expect(stdout).toMatch(new RegExp(`ApiToken ${form}-ci replaced .*\\[diff: .*orgCapabilities.*\\]`));
  found = ((await workspace.outputs()).results as readonly { found: unknown }[]).map((result) => result.found);
  for (const live of old) {
    expect(stdout).toContain(
      `warning: API token "${live?.name}" (id ${live?.id}) is no longer managed here, but it stays valid until ${expiresAt}`,
    );
  }
  const replaced = [...Array<string>(2).fill("POST /v2/annotations 201"), ...created];
  expect(deployment.writes().sort()).toEqual([...replaced, ...Array<string>(2).fill("POST /v2/tokens 200")]);
  const renewed = await readSecrets();
  expect(renewed.filter((token) => secrets.includes(token))).toEqual([]);
  expect(await Promise.all([...secrets, ...renewed].map(deployment.statusFor))).toEqual([200, 200, 200, 200]);
  expect(await deployment.traces(...secrets, ...renewed)).toEqual([]);
});

test.each(forms)("a change of an annotation creates another one: %s", (form) => {
  const ofForm = deployment.service.annotations.list().filter(({ datasets }) => String(datasets) === form);
  expect(ofForm.map(({ title }) => title)).toEqual(["1.4", "1.5"]);
});

test("ApiToken.get reads a token without managing it", () => {
  expect(found).toHaveLength(2);
  for (const [at, live] of firstsOf("other").entries()) {
    const { id, name, orgCapabilities } = { ...live };
    expect(found[at]).toMatchObject({ id, name, orgCapabilities });
    expect(id).toBeDefined();
  }
});

test("a destroy forgets the tokens and warns with their ids and expiries", async () => {
  const { workspace } = deployment;
  const writes = deployment.writes();
  const names = forms.flatMap((form) => ["ci", "fixed", "other"].map((name) => `${form}-${name}`));
  const managed = names.flatMap(liveTokens).filter(({ id }) => !firstIds.includes(id));
  expect(managed).toHaveLength(6);
  const { stdout } = await workspace.destroy();
  const summary = stdout.slice(stdout.indexOf("Diagnostics:"));
  for (const { id, name, expiresAt: end } of managed) {
    const valid = end === undefined ? "it has no expiry and stays valid" : `it stays valid until ${end}`;
    expect(summary).toContain(`API token "${name}" (id ${id}) is no longer managed here, but ${valid}`);
  }
  // None of what was only looked at.
  expect(summary.match(/warning: API token .* is no longer managed/g)).toHaveLength(managed.length);
  for (const id of firstIds) expect(summary).toMatch(new RegExp(`may still be valid: ${id} \\(until `));
  expect((await workspace.export()).deployment.resources ?? []).toEqual([]);
  expect(deployment.writes()).toEqual(writes);
});
