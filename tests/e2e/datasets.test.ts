import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { EventDatasets, scalar } from "../../sdk";
import { createDeployment, type Deployment } from "../support/deployment";
import { bothForms, type Form, forms, inForm } from "../support/program";

// One stack with datasets in both forms: each test goes on where the one before it ended. Each dataset has three events.

interface Declared {
  readonly kept?: string;
  readonly doomed?: string;
}

/** `kept` and `doomed` have chosen names, `made` a generated one; only the events of `doomed` may be deleted. */
const program = ({ kept = "", doomed = "retentionDays: 90" }: Declared = {}) => `${bothForms}
export const names = inBothForms((form, { ApiToken, Dataset }) => {
  new Dataset(form + "-kept", { name: form + "-kept", ${kept} });
  new Dataset(form + "-doomed", { name: form + "-doomed", deleteEvents: true, ${doomed} });
  const made = new Dataset(form + "-made");
  new ApiToken(form + "-ingest", {
    expiresAt: "2099-01-01T00:00:00Z",
    datasetCapabilities: made.name.apply((name) => ({ [name]: { ingest: ["create"] } })),
  });
  return made.name;
});
`;

const options = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;
let deployment: Deployment;
/** The generated names. */
let made: readonly string[];

const declare = (declared?: Declared) => deployment.workspace.writeFile("index.ts", program(declared));
const named = (name: string) => forms.map((form) => `${form}-${name}`);
const liveOf = (form: Form, name: string) =>
  deployment.service.datasets.list().find(({ id }) => id === `${form}-${name}`);

/** How many events each dataset has. */
async function countEvents(): Promise<Record<string, number>> {
  const { url, rootToken, datasets } = deployment.service;
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
  const { workspace, service } = deployment;
  await workspace.up();
  made = (await workspace.outputs()).names as string[];
  for (const { id } of service.datasets.list()) await service.ingest(id, three);
});
afterAll(async () => {
  await deployment?.[Symbol.asyncDispose]();
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
  expect(await countEvents()).toEqual(allOf([...named("kept"), ...named("doomed"), ...made]));
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
  expect(await countEvents()).toEqual(allOf([...named("kept"), ...named("doomed"), ...made]));
  await workspace.up({ args: ["--refresh"] });
});
