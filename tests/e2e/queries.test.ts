import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator";
import { createDeployment } from "../support/deployment";
import type { ProgramSource } from "../support/program";
import { aplAnswer } from "../support/queryAnswers";
import { json, startService } from "../support/service";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const deploys = [
  { _time: "2026-11-19T10:00:00Z", service: "web", status: "failed", seconds: 99, build: 9_007_199_254_740_991 },
  { _time: "2026-11-20T10:00:00Z", service: "web", status: "ok", seconds: 12.5, build: 2 },
  { _time: "2026-11-20T11:00:00Z", service: "api", status: "failed", seconds: 30, build: 3 },
  { _time: "2026-11-21T09:00:00Z", service: "web", status: "ok", seconds: 7, build: 4 },
];

async function deploymentWithEvents(program: ProgramSource, serviceOptions: Partial<EmulatorOptions>) {
  const deployment = await createDeployment({ program, serviceOptions });
  await deployment.service.ingest("deploys", deploys);
  return deployment;
}

test("a query takes outputs and an explicit provider, and its result is secret only if an argument is", async () => {
  const program = {
    "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, Provider, queryApl, queryAplOutput, queryDatasetOutput, rows, scalar } from "pulumi-event-datasets";
const config = new pulumi.Config();
const baseUrl = config.require("url");
const root = new Provider("root", { baseUrl, accessToken: config.requireSecret("token"), profile: "extended" });
const reader = new ApiToken("reader", { datasetCapabilities: { deploys: { query: ["read"] } } }, { provider: root });
// A credential that this very program mints: the query waits for it.
const provider = new Provider("reader", { baseUrl, accessToken: reader.token, profile: "extended" });
const apl = pulumi.interpolate\`['deploys'] | where service == '\${pulumi.output("web")}' | summarize count()\`;
export const open = queryAplOutput({ apl }, { provider }).apply((answer) => scalar(answer));
export const hidden = queryAplOutput({ apl: pulumi.secret(apl) }, { provider }).apply((answer) => scalar(answer));
export const tables = queryAplOutput({ apl: "['deploys'] | project build | take 1", format: "tabular" }, { provider }).tables[0].columns;
const period = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-22T00:00:00Z", resolution: "1d" };
const aggregations = [{ op: "count", field: "*", alias: "n" }];
export const days = queryDatasetOutput({ dataset: "deploys", aggregations, ...period }, { provider }).apply((answer) => rows(answer));
export const plain = queryApl({ apl: "['deploys'] | summarize count()" }, { provider: root }).then((answer) => scalar(answer));
`,
  };
  await using deployment = await deploymentWithEvents(program, { profile: "extended" });
  const { workspace, service } = deployment;
  await workspace.setConfig("url", service.url);
  await workspace.setConfig("token", service.rootToken, { secret: true });
  // The reader's token is not known before the first update.
  await workspace.preview();
  await workspace.up();
  expect(await workspace.outputs()).toEqual({
    open: 3,
    hidden: "[secret]",
    tables: [[4]],
    days: [
      { _time: "2026-11-19T00:00:00Z", n: 1 },
      { _time: "2026-11-20T00:00:00Z", n: 2 },
      { _time: "2026-11-21T00:00:00Z", n: 1 },
    ],
    plain: 4,
  });
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(await deployment.traces(service.rootToken)).toEqual([]);
});

test("a program in the documented profile gets the same results, and annotates with one of them", async () => {
  const program = {
    "index.ts": `import { Annotation, queryAplOutput, queryDatasetOutput, scalar, totals } from "pulumi-event-datasets";
const period = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-22T00:00:00Z" };
const apl = "['deploys'] | where status == 'failed' | summarize count()";
export const failed = queryAplOutput({ apl, ...period }).apply((answer) => scalar(answer));
new Annotation("deployed", { datasets: ["web"], type: "deploy", title: failed.apply((n) => \`after \${n} failures\`) });
const aggregations = [{ op: "max", field: "seconds", alias: "slowest" }];
const query = { dataset: "deploys", aggregations, groupBy: ["service"], resolution: "auto", ...period };
export const slowest = queryDatasetOutput(query).apply((answer) => totals(answer));
`,
  };
  const env = { EVENT_DATASETS_PROFILE: "documented" };
  await using deployment = await createDeployment({ program, serviceOptions: { profile: "documented" }, env });
  const { workspace, service } = deployment;
  await service.ingest("deploys", deploys);
  await workspace.up();
  const { failed, slowest } = await workspace.outputs();
  expect(failed).toBe(2);
  expect(slowest).toEqual(
    expect.arrayContaining([
      { service: "api", slowest: 30 },
      { service: "web", slowest: 99 },
    ]),
  );
  expect(service.annotations.list()).toMatchObject([{ title: "after 2 failures" }]);
});

test("an answer that is partial, and what the service says of it, are warnings; large integers are exact", async () => {
  const answer = JSON.stringify({
    buckets: { series: [], totals: [{ group: {}, aggregations: [{ op: "max", value: 7 }] }] },
    matches: [],
    status: { isPartial: true, messages: [{ msg: "a shard did not answer", priority: "warn" }] },
  }).replace('"value":7', '"value":9007199254740993');
  await using scripted = await startService((response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  const program = {
    "index.ts": `import { queryDatasetOutput, scalar } from "pulumi-event-datasets";
export const largest = queryDatasetOutput({ dataset: "deploys" }).apply((answer) => scalar(answer));
`,
  };
  await using deployment = await createDeployment({ program });
  const env = { EVENT_DATASETS_BASE_URL: scripted.url };
  const { stdout } = await deployment.workspace.up({ env });
  expect(stdout).toContain("warning: queryDataset: the result is partial");
  expect(stdout).toContain('warning: queryDataset: the service says "a shard did not answer"');
  expect(await deployment.workspace.outputs()).toEqual({ largest: "9007199254740993" });
});

test("the name of the format parameter is a setting, and a query that fails ends the update with its place", async () => {
  const program = {
    "index.ts": `import { queryAplOutput } from "pulumi-event-datasets";
export const columns = queryAplOutput({ apl: "['deploys']\\n| frobnicate", format: "tabular" }).tables;
`,
  };
  await using deployment = await createDeployment({ program, hosts: "engine" });
  const { workspace } = deployment;
  const missing = await workspace.preview({ expectFailure: true });
  expect(missing.stdout + missing.stderr).toContain(
    "Set formatParameter (EVENT_DATASETS_FORMAT_PARAMETER, event-datasets:formatParameter)",
  );

  const detail = { line: 2, column: 3, message: "no such operator" };
  await using scripted = await startService(json(400, { code: 400, message: "no such operator", detail }));
  await workspace.setConfig("event-datasets:formatParameter", "shape");
  const failed = await workspace.preview({ expectFailure: true, env: { EVENT_DATASETS_BASE_URL: scripted.url } });
  expect(failed.stdout + failed.stderr).toContain('the service says "line 2, column 3: no such operator"');
  expect(scripted.calls).toEqual(["POST /v1/datasets/_apl?shape=tabular"]);
});

// A query that fails is above; tests/provider/printableFailures goes through all that is exported.
test.each([
  [
    "a scalar of two values",
    'queryAplOutput({ apl: "web" }).apply(scalar)',
    json(200, aplAnswer),
    /more than one value/,
  ],
  [
    "a plain query",
    '(async () => scalar(await queryApl({ apl: "web" })))()',
    json(200, aplAnswer),
    /more than one value/,
  ],
])("%s ends the preview with its reason, and does not hang it", async (_, expression, behaviour, reason) => {
  await using service = await startService(behaviour);
  const program = {
    "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { queryApl, queryAplOutput, scalar } from "pulumi-event-datasets";
export const value = ${expression};
export const others = [pulumi, queryApl, queryAplOutput, scalar].length;
`,
  };
  await using deployment = await createDeployment({ program, hosts: "engine" });
  const env = { EVENT_DATASETS_BASE_URL: service.url };
  // One that hangs is ended at the workspace's time limit, which is a failure of its own.
  const { stdout, stderr } = await deployment.workspace.preview({ expectFailure: true, env });
  expect(stdout + stderr).toMatch(reason);
});
