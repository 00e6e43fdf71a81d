import { Annotation, ApiToken, getTokensOutput } from "pulumi-event-datasets";

const ci = new ApiToken("ci", {
  orgCapabilities: { annotations: ["create"], apiTokens: ["read"] },
  expiresIn: "90d",
  rotation: { rotateBefore: "14d" },
});

new Annotation("deployed", { datasets: ["web"], title: "Deployed 1.4", type: "deploy" }, { dependsOn: ci });

export const token = ci.token; // always a Pulumi secret
export const tokenNames = getTokensOutput({}, { dependsOn: ci }).tokens.apply((live) => live.map(({ name }) => name));
