// Deploys to a canary, checks its errors, and then deploys to production. `dependsOn` sets the order: if the gate fails,
// the update fails there, production keeps its version, and the next `pulumi up` evaluates the gate again.
import * as pulumi from "@pulumi/pulumi";
import { Annotation, DeploymentAnnotation, QueryGate } from "pulumi-event-datasets";

const config = new pulumi.Config();
const image = config.require("image");

// In your program: the service, the task definition or the Kubernetes deployment of one ring.
const release = (ring: string, options: pulumi.CustomResourceOptions = {}) =>
  new Annotation(
    ring,
    { datasets: ["deploys"], title: `${image} on ${ring}`, type: `release-${ring}`, triggers: { image } },
    options,
  );

const canary = release("canary");

const errors = new QueryGate(
  "canary-errors",
  {
    apl: "['web'] | where ring == 'canary' and status >= 500 | summarize count()",
    startTime: "now-2m",
    endTime: "now",
    expect: { max: 5 },
    every: config.get("every") ?? "15s",
    for: config.get("for") ?? "10m",
    settle: config.get("settle") ?? "3m", // the errors must stay low for this long
    triggers: { image }, // a new image is evaluated again
  },
  { dependsOn: canary },
);

const production = release("production", { dependsOn: errors });

// Covers the whole deployment. Without `dependsOn` the range would end when the program ends.
const deployed = new DeploymentAnnotation("deployed", { datasets: ["web"], commit: image }, { dependsOn: production });

export const errorsOnCanary = errors.value;
export const deployment = deployed.annotationId;
