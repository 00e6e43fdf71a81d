import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { EventDatasets, scalar } from "../../sdk";
import { createDeployment, type Deployment, startTemporaryEmulator } from "../support/deployment";
import { bothForms, type Form, forms, inForm } from "../support/program";

// One stack with datasets in both forms: each test goes on where the one before it ended. Each dataset gets three events, and the last
// test counts them all.

interface Declared {
  readonly kept?: string;
  readonly doomed?: string;
  readonly made?: string;
}

/** `kept` and `doomed` have chosen names, `made` a generated one; only the events of `doomed` may be deleted. */
const program = ({ kept = "", doomed = "retentionDays: 90", made = "" }: Declared = {}) => `${bothForms}
export const names = inBothForms((form, { ApiToken, Dataset }) => {
  ${kept === "none" ? "" : `new Dataset(form + "-kept", { name: form + "-kept", ${kept} });`}
  ${doomed === "none" ? "" : `new Dataset(form + "-doomed", { name: form + "-doomed", deleteEvents: true, ${doomed} });`}
  const made = new Dataset(form + "-made", { ${made} });
  new ApiToken(form + "-ingest", {
    expiresAt: "2099-01-01T00:00:00Z",
    datasetCapabilities: made.name.apply((name) => ({ [name]: { ingest: ["create"] } })),
  });
  return made.name;
});
`;

const otherToken = "xaat-root-of-another-account";
const options = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;
let deployment: Deployment;
let other: Emulator;
/** The generated names of before. */
let made: readonly string[];

const declare = (declared?: Declared) => deployment.workspace.writeFile("index.ts", program(declared));
const readNames = async () => (await deployment.workspace.outputs()).names as string[];
const named = (name: string) => forms.map((form) => `${form}-${name}`);
const liveOf = (form: Form, name: string) =>
  deployment.service.datasets.list().find(({ id }) => id === `${form}-${name}`);

/** How many events each dataset has. */
async function countEvents({ url, rootToken, datasets }: Emulator): Promise<Record<string, number>> {
  await using client = new EventDatasets({ baseUrl: url, accessToken: rootToken, profile: "extended" });
  const counts = datasets.list().map(async ({ id }) => {
    const result = await client.queries.apl({ apl: `['${id}'] | summarize count()` });
    return [id, Number(scalar(result))] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

const three = [1, 2, 3].map((n) => ({ n }));
const allOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 3]));

beforeAll(async () => {
  deployment = await createDeployment(inForm("both", { ...options, program: { "index.ts": program() } }));
  other = await startTemporaryEmulator({ profile: "extended", rootToken: otherToken });
  const { workspace, service } = deployment;
  await workspace.up();
  made = await readNames();
  for (const { id } of service.datasets.list()) await service.ingest(id, three);
});
afterAll(async () => {
  await deployment?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
});

test("datasets are created, and nothing changes in the next update and in a refresh", async () => {
  const { workspace, service } = deployment;
  expect(made).toEqual(forms.map((form) => expect.stringMatching(new RegExp(`^${form}-made-[0-9a-f]{7}$`))));
  const { stdout } = await workspace.up({ args: ["--expect-no-changes"] });
  for (const name of named("doomed")) expect(stdout).toContain(`dataset ${name}: deleteEvents is true`);
  await workspace.refresh({ args: ["--expect-no-changes"] });
  const capabilities = service.tokens
    .list()
    .map(({ datasetCapabilities }) => Object.keys(datasetCapabilities as object));
  expect(capabilities.flat().sort()).toEqual([...made].sort());
});

test("a description changes in place, and drift shows in a refresh and is put back", async () => {
  const { workspace, service } = deployment;
  await declare({ kept: 'description: "first"' });
  expect((await workspace.up()).stdout).toMatch(/Dataset dynamic-kept updated/);
  for (const name of named("kept")) await service.datasets.change(name, { description: `Mine, ${name}` });
  const { stdout } = await workspace.refresh({ args: ["--diff"] });
  for (const name of named("kept")) expect(stdout).toMatch(new RegExp(`description *: "first" => "Mine, ${name}"`));
  await workspace.up();
  for (const form of forms) expect(liveOf(form, "kept")).toMatchObject({ description: "first" });
});

test("a shorter retention is refused in the preview, unless the state allows it", async () => {
  const { workspace } = deployment;
  await declare({ kept: 'description: "first", retentionDays: 30' });
  const { stdout } = await workspace.preview({ expectFailure: true });
  expect(stdout).toMatch(
    /dataset (dynamic|native)-kept keeps its retention: that of the plan to 30 days can delete events/,
  );
  await declare({ kept: 'description: "first"', doomed: "retentionDays: 60" });
  await workspace.up();
  for (const form of forms) expect(liveOf(form, "doomed")).toMatchObject({ retentionDays: 60 });
  expect(await countEvents(deployment.service)).toEqual(allOf([...named("kept"), ...named("doomed"), ...made]));
});

test("a replacement under the same name is refused in the preview, and with --replace by the service", async () => {
  const { workspace } = deployment;
  await declare({ kept: 'description: "first", kind: "otel:logs:v1"' });
  const { stdout } = await workspace.preview({ expectFailure: true });
  expect(stdout).toMatch(/dataset (dynamic|native)-kept cannot be replaced \(kind changed\).*deleteBeforeReplace/);
  await declare({ kept: 'description: "first"' });
  const urns = (await workspace.export()).deployment.resources?.flatMap(({ urn }) => (/-kept$/.test(urn) ? [urn] : []));
  const args = (urns ?? []).flatMap((urn) => ["--replace", urn]);
  const forced = await workspace.up({ args, expectFailure: true });
  expect(forced.stdout).toMatch(/409.*declare adopt: true.*deleteBeforeReplace/);
  expect(await countEvents(deployment.service)).toEqual(allOf([...named("kept"), ...named("doomed"), ...made]));
  await workspace.up({ args: ["--refresh"] });
});

test("a replaced dataset stays with its events, and a warning names it", async () => {
  const { workspace, service } = deployment;
  await declare({ kept: 'description: "first"', made: 'kind: "otel:logs:v1"' });
  const { stdout } = await workspace.up();
  for (const name of made) {
    expect(stdout).toContain(`dataset ${name} will be replaced (kind). The old one stays with its events.`);
    expect(stdout).toContain(`dataset ${name} is no longer managed here, but it stays with its events.`);
  }
  const now = await readNames();
  expect(await countEvents(service)).toEqual({
    ...allOf([...named("kept"), ...named("doomed"), ...made]),
    ...Object.fromEntries(now.map((name) => [name, 0])),
  });
});

test("in an account that has datasets of the same names nothing happens to them, nor to the state", async () => {
  const { workspace } = deployment;
  for (const name of [...named("kept"), ...named("doomed")]) await other.ingest(name, three);
  const wrong = {
    env: { EVENT_DATASETS_BASE_URL: other.url, EVENT_DATASETS_ACCESS_TOKEN: otherToken },
    expectFailure: true,
  } as const;
  const urns = ({ deployment: { resources = [] } }: Awaited<ReturnType<typeof workspace.export>>) =>
    resources.flatMap(({ urn }) => (urn.endsWith("-doomed") ? [urn] : []));
  const before = urns(await workspace.export());
  const isOther = /it is another dataset of the same name, so nothing is done with it/;
  expect((await workspace.refresh(wrong)).stdout).toMatch(isOther);
  const args = before.flatMap((urn) => ["--target", urn]);
  expect((await workspace.destroy({ ...wrong, args })).stdout).toMatch(isOther);
  expect(await countEvents(other)).toEqual(allOf([...named("kept"), ...named("doomed")]));
  expect([before.length, urns(await workspace.export())]).toEqual([2, before]);
});

test("a removed dataset stays, and one line adopts it again", async () => {
  const { workspace } = deployment;
  await declare({ kept: "none", made: 'kind: "otel:logs:v1"' });
  const { stdout } = await workspace.up();
  for (const name of named("kept"))
    expect(stdout).toContain(`dataset ${name} is no longer managed here, but it stays with its events.`);
  await declare({ kept: 'description: "first"', made: 'kind: "otel:logs:v1"' });
  const refused = await workspace.up({ expectFailure: true });
  expect(refused.stdout).toMatch(/409.*declare adopt: true to manage it with its events/);
  await declare({ kept: 'description: "first", adopt: true', made: 'kind: "otel:logs:v1"' });
  await workspace.up();
  expect((await countEvents(deployment.service))["native-kept"]).toBe(3);
});

test("a destroy deletes only the events that the state says, and prints how many", async () => {
  const { workspace, service } = deployment;
  const { stdout } = await workspace.destroy();
  for (const name of named("doomed")) expect(stdout).toContain(`dataset ${name} was deleted: it had 3 events.`);
  const counts = await countEvents(service);
  expect(counts).toMatchObject(allOf([...named("kept"), ...made]));
  for (const name of named("doomed")) expect(counts).not.toHaveProperty(name);
  expect(await countEvents(other)).toEqual(allOf([...named("kept"), ...named("doomed")]));
});
