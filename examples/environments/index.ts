// A token for each service, in each environment: the stack is the environment. Each token may send events into the
// dataset of its own service and nothing else, so a leaked token identifies its service and exposes one dataset. After a
// rotation the old token stays valid for two days (`overlap`), so that the services have time to take the new secret.
import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";

const environment = pulumi.getStack();
const services = new pulumi.Config().requireObject<string[]>("services");

const tokens = services.map((service) => {
  const token = new ApiToken(`${service}-${environment}`, {
    description: `${service} in ${environment}`,
    datasetCapabilities: { [`${service}-${environment}`]: { ingest: ["create"] } },
    expiresIn: "90d",
    rotation: { rotateBefore: "14d", overlap: "2d" },
  });
  return [service, token] as const;
});

// The secret of each service: pulumi stack output secrets --show-secrets
export const secrets = Object.fromEntries(tokens.map(([service, { token }]) => [service, token]));
// Safe to show: which secret is in use, and when it is replaced.
export const fingerprints = Object.fromEntries(tokens.map(([service, { fingerprint }]) => [service, fingerprint]));
export const rotations = Object.fromEntries(tokens.map(([service, { rotatesAt }]) => [service, rotatesAt]));
