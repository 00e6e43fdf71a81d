// One annotation for each commit, from the start of this program until everything in `dependsOn` is deployed. Its
// facts come from the CI system. Outside CI, the commit, the branch and the actor come from git.
import { DeploymentAnnotation } from "pulumi-event-datasets";

// Put the resources of your deployment into `dependsOn`.
const deployed = new DeploymentAnnotation("deployed", { datasets: ["web", "api"] }, { dependsOn: [] });

export const annotationId = deployed.annotationId; // undefined if it could not be sent
export const from = deployed.time;
export const to = deployed.endTime;
