import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";

const deploys = [
  { _time: "2026-11-19T10:00:00Z", service: "web", status: "failed", seconds: 99, build: 9_007_199_254_740_991 },
  { _time: "2026-11-20T10:00:00Z", service: "web", status: "ok", seconds: 12.5, build: 2 },
  { _time: "2026-11-20T11:00:00Z", service: "api", status: "failed", seconds: 30, build: 3 },
  { _time: "2026-11-21T09:00:00Z", service: "web", status: "ok", seconds: 7, build: 4 },
];

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
  await using deployment = await createDeployment({ program, profile: "extended" });
  const { workspace, service } = deployment;
  await service.ingest("deploys", deploys);
  await workspace.setConfig("url", service.url);
  // The engine tells words from what looks like a secret, so it has its lists of words when it needs them.
  await workspace.run(["config", "set", "token", "somethinginternational"]);
  const { stderr } = await workspace.run(["config", "set", "token", service.rootToken], { expectFailure: true });
  expect(stderr).toContain("looks like a secret");
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
