// Queries a dataset before it deploys: how many of the last deployments failed, and how long the services took. Every
// preview and update runs the queries again.
import * as pulumi from "@pulumi/pulumi";
import { Annotation, queryApl, queryDatasetOutput, rows, scalar, totals } from "pulumi-event-datasets";

const config = new pulumi.Config();
const startTime = config.require("since");
const endTime = config.get("until") ?? new Date().toISOString();

export = async () => {
  // The plain form returns a promise: its value can decide what the program declares.
  const failures = Number(
    scalar(await queryApl({ apl: "['deploys'] | where status == 'failed' | summarize count()", startTime, endTime })),
  );
  const marker = new Annotation("deployed", {
    datasets: ["deploys"],
    type: "deploy",
    title: failures > 0 ? `Deployed after ${failures} failed ones` : "Deployed",
  });

  // The Output form takes outputs and waits for the resources that it depends on.
  const slowest = queryDatasetOutput(
    {
      dataset: "deploys",
      startTime,
      endTime,
      resolution: "auto",
      aggregations: [{ op: "max", field: "seconds", alias: "slowest" }],
      groupBy: ["service"],
    },
    { dependsOn: marker },
  ).apply((result) =>
    totals(result, ({ service, slowest }) => ({ service: String(service), seconds: Number(slowest) })),
  );

  const last = await queryApl({
    apl: "['deploys'] | sort by _time desc | take 3 | project service",
    startTime,
    endTime,
  });
  return { failures, slowest, last: rows(last, ({ service }) => String(service)) };
};
