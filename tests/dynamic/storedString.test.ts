import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { namesWhere } from "../../framework/definition";
import { markSecret } from "../../framework/engineValues";
import { storedProvider } from "../../framework/package";
import { type ResourceName, resourceDefinitions } from "../../provider/eventDatasets";
import { credentialOf } from "../../provider/shared/account/evidence";
import { thisPackage } from "../../provider/shared/strings";
import { writeProgram } from "../support/program";
import { json, startService } from "../support/service";
import { makeFolder } from "../support/suite";

/** Like the engine's host: evaluates stored providers in the program's folder, configures them and calls their hooks. */
const host = `
  const requireFromString = require(require.resolve("require-from-string", { paths: [require.resolve("@pulumi/pulumi")] }));
  const shown = ({ message, id, properties, reasons }) => ({ message, id, properties, reasons });
  (async () => {
    const results = [];
    for (const { stored, config, calls } of JSON.parse(process.argv[1])) {
      const provider = requireFromString(stored).handler();
      await provider.configure({ config: { get: (key) => config[key] } });
      const answers = [];
      for (const [hook, ...args] of calls) answers.push(await provider[hook](...args).catch(shown));
      results.push(answers);
    }
    process.stdout.write(JSON.stringify(results));
  })();
`;

const storedOf = (type: ResourceName) => storedProvider(thisPackage, resourceDefinitions[type]);

type Call = readonly [hook: string, ...args: unknown[]];

interface Hosted {
  readonly type: ResourceName;
  readonly config: Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
}

/** Calls hooks of stored providers in a process that has nothing but the strings and the program's folder. */
async function hostAll(...hosted: readonly Hosted[]) {
  const cwd = makeFolder();
  await writeProgram(cwd, {});
  const input = JSON.stringify(hosted.map(({ type, ...more }) => ({ stored: storedOf(type), ...more })));
  const env = { PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", host, input], { cwd, env });
  return JSON.parse(stdout);
}

const inSecondProcess = async (type: ResourceName, config: Record<string, string>, ...calls: readonly Call[]) =>
  (await hostAll({ type, config, calls }))[0];

const minted = { id: "t1", name: "ci-0a1b2c3", orgCapabilities: { users: ["read"] }, token: "xaat-secret" };

test("a stored token provider checks, compares, creates and reads in a process that knows nothing else", async () => {
  const live = { ...minted, token: undefined };
  await using service = await startService(json(200, [live, { id: "t2" }]), json(200, minted), json(200, live));
  const config = { "event-datasets:baseUrl": service.url, "event-datasets:accessToken": "xaat-root" };
  const stored = storedOf("ApiToken");
  const inputs = { name: minted.name, key: "ci", orgCapabilities: minted.orgCapabilities };
  const credential = credentialOf({ baseUrl: service.url, accessToken: "xaat-root" });
  const state = { ...inputs, key: `ci|${credential} t2`, token: "xaat-secret" };

  const [checked, difference, created, found, changed] = await inSecondProcess(
    "ApiToken",
    config,
    ["check", {}, { key: "other", __provider: stored }],
    [
      "diff",
      "t1",
      { ...state, __provider: stored },
      { ...inputs, __provider: stored, key: "other", description: "new" },
    ],
    ["create", { ...inputs, __provider: stored }],
    ["read", "t1", { ...state, __provider: stored }],
    ["read", "t1", { ...state, orgCapabilities: { users: ["create"] }, __provider: stored }],
  );

  expect(checked).toEqual({ inputs: { key: "other", name: expect.stringMatching(/^other-/) }, failures: [] });
  expect(difference).toEqual({ changes: true, replaces: ["description"] });
  const token = markSecret("xaat-secret");
  const outs = { ...state, key: expect.stringMatching(`^ci\\|[0-9a-z]{6} ${credential} t2$`), token };
  expect(created).toEqual({ id: "t1", outs });
  // Of what is as it was recorded, the engine keeps the inputs and the marks of secrets.
  expect(found).toEqual({ id: "t1", props: { ...state, __provider: stored } });
  const drift = { declared: { orgCapabilities: { users: ["create"] } }, drifted: ["orgCapabilities"] };
  expect(changed).toEqual({ id: "t1", props: { ...state, record: drift, token }, inputs });
  expect(service.calls).toEqual(["GET /v2/tokens", "POST /v2/tokens", "GET /v2/tokens/t1"]);
});

test("the module that states of a resource name hosts that resource", async () => {
  const definitions = Object.values(resourceDefinitions);
  const calls: Call[] = [["check", {}, { key: "a", none: 1 }]];
  const hosted = definitions.map(({ name }) => ({ type: name as ResourceName, config: {}, calls }));
  const results = await hostAll(...hosted);
  for (const [n, definition] of definitions.entries()) {
    const inputs = namesWhere(definition, ({ kind }) => kind === undefined);
    const reason = reasonsOf(results[n][0]).find((text) => text.startsWith("none is not known"));
    for (const name of inputs) expect(reason).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test("a failure of check names the places that were looked in, and its property in the reason only", async () => {
  const checking = (config: Record<string, string>, inputs = {}): Hosted => {
    const calls: Call[] = [["check", {}, { key: "ci", name: "ci", ...inputs }]];
    return { type: "ApiToken", config, calls };
  };
  const [[incomplete], [explicit], [invalid]] = await hostAll(
    checking({}),
    checking({ "event-datasets:provider": "prod", "event-datasets:accessToken": "xaat-prod" }),
    checking(
      { "event-datasets:baseUrl": "https://a.example", "event-datasets:accessToken": "xaat-root" },
      { expiresAt: "soon" },
    ),
  );
  expect(reasonsOf(incomplete)).toEqual([
    "baseUrl is missing: set environment variable EVENT_DATASETS_BASE_URL or stack config event-datasets:baseUrl",
    "accessToken is missing: set environment variable EVENT_DATASETS_ACCESS_TOKEN or stack config event-datasets:accessToken",
  ]);
  // An explicit provider's settings are never completed from elsewhere.
  expect(reasonsOf(explicit)).toEqual(['baseUrl is missing: set argument baseUrl of Provider "prod"']);
  // The engine would print the value of a property.
  expect(invalid.failures).toEqual([{ property: "", reason: expect.stringMatching(/^expiresAt must be/) }]);
});

const reasonsOf = ({ failures }: { failures: { reason: string }[] }) => failures.map(({ reason }) => reason);
