// Code of ordinary programs. The check compiles it, and nothing runs it.
import * as pulumi from "@pulumi/pulumi";
import {
  ApiToken,
  Dataset,
  getTokenOutput,
  getTokens,
  getTokensOutput,
  queryApl,
  queryAplOutput,
  queryDatasetOutput,
  rows,
  scalar,
  totals,
} from "../../provider";
import { EventDatasets } from "../../sdk";

const config = new pulumi.Config();
const dataset = config.requireSecret("dataset");
const actions = pulumi.output(["read"]);
const optional: string | undefined = config.get("optional");

// Outputs anywhere inside capabilities.
new ApiToken("outputs", {
  datasetCapabilities: {
    web: { query: ["read"], ingest: [pulumi.output("create")] },
    api: pulumi.output({ query: ["read"] }),
    logs: { query: actions },
  },
  orgCapabilities: { apiTokens: actions, annotations: [pulumi.output("create")], views: ["read"] },
  viewCapabilities: dataset.apply((name) => ({ [name]: { query: ["read"] } })),
  description: optional,
});

// No argument of a dataset is required.
new Dataset("web");
new Dataset("web", undefined, { protect: true });

// Values of interface types, at every level.
interface WebCapabilities {
  query: string[];
  ingest?: string[];
}
interface TeamCapabilities {
  web: WebCapabilities;
}
const web: WebCapabilities = { query: ["read"] };
const team: TeamCapabilities = { web };
new ApiToken("interfaces", { datasetCapabilities: { web }, viewCapabilities: team });
new ApiToken("interface", { datasetCapabilities: team });
// @ts-expect-error capabilities are an object
new ApiToken("text", { datasetCapabilities: "web" });
// @ts-expect-error the name is misspelled
new ApiToken("misspelled", { expireAt: "2030-01-01T00:00:00Z" });
// @ts-expect-error so is the key of a capability
new ApiToken("misspelledKey", { orgCapabilities: { annotation: ["create"] } });

// A token's outputs.
const token = new ApiToken("token", {
  expiresIn: dataset,
  retire: "expire",
  rotation: { triggers: { generation: 1 } },
});
export const secret: pulumi.Output<string> = token.token;
export const retire: pulumi.Output<"revoke" | "expire" | undefined> = token.retire;
export const rotateBefore: pulumi.Output<string | undefined> = token.rotation.apply(
  (rotation) => rotation?.rotateBefore,
);

// Queries with outputs anywhere.
export const counts = queryDatasetOutput({
  dataset,
  startTime: optional,
  groupBy: [dataset, "service"],
  filter: {
    op: "and",
    children: [
      { op: "==", field: "service", value: dataset },
      { op: ">", field: "seconds", value: pulumi.output(5) },
      { op: "contains", field: "tags", value: [dataset, "b"] },
    ],
  },
  aggregations: [{ op: "count", field: "*", alias: dataset }],
}).apply((answer) => totals(answer, ({ service }) => String(service)));
export const failures = queryAplOutput({
  apl: pulumi.interpolate`['${dataset}'] | where service == name`,
  variables: { name: dataset, limits: { low: pulumi.output(1) } },
}).apply(scalar);
export const lookup = async () => rows(await queryApl({ apl: "['web']", startTime: optional }), ({ n }) => Number(n));

// Lookups.
export const tokenCount = getTokensOutput({ name: token.name, expiringWithin: optional }).apply(
  ({ tokens }) => tokens.length,
);
export const one = getTokenOutput({ id: token.id }, { dependsOn: token }).expiresAt;
export const live = async () => (await getTokens()).tokens.map(({ name }) => name);

// The client takes what may be absent as it is.
const client = EventDatasets.fromEnvironment();
export const mint = () => client.tokens.create({ name: "ci", description: optional, expiresAt: optional });
