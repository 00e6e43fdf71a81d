// Deploy to a canary, watch its errors, promote. `dependsOn` makes the order: if the gate fails, the update fails there,
// production keeps what it runs, and the next `pulumi up` looks again.
//
//   pulumi config set image registry.example.com/web@sha256:…
import * as pulumi from "@pulumi/pulumi";
import { Annotation, DeploymentAnnotation, QueryGate } from "pulumi-event-datasets";

const config = new pulumi.Config();
const image = config.require("image");

// In your program: the service, the task definition, the Kubernetes deployment … of one ring.
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
    settle: config.get("settle") ?? "3m", // the first good minute says little
    triggers: { image }, // another image is another question
  },
  { dependsOn: canary },
);

const production = release("production", { dependsOn: errors });

// The range of all of it. Without `dependsOn` it would end when the program does.
const marker = new DeploymentAnnotation("deployed", { datasets: ["web"], commit: image }, { dependsOn: production });

export const errorsOnCanary = errors.value;
export const deployment = marker.annotationId;
