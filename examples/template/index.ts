import { Annotation, ApiToken, Dataset, getTokensOutput } from "pulumi-event-datasets";

const web = new Dataset("web", { description: "Requests of the shop" });

const ci = new ApiToken("ci", {
  datasetCapabilities: web.name.apply((name) => ({ [name]: { ingest: ["create"] } })),
  orgCapabilities: { annotations: ["create"], apiTokens: ["read"] },
  expiresIn: "90d",
  rotation: { rotateBefore: "14d" },
});

new Annotation("deployed", { datasets: [web.name], title: "Deployed 1.4", type: "deploy" }, { dependsOn: ci });

export const token = ci.token; // always a Pulumi secret
export const tokenNames = getTokensOutput({}, { dependsOn: ci }).tokens.apply((live) => live.map(({ name }) => name));
