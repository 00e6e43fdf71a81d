// Deploys from your own program: `node deploy.ts dev`; with `--destroy` it removes everything. Resources take their settings
// from `envVars`. A lookup (`getTokens`, `queryApl`) runs in this process and takes its settings from the environment.
import { appendFileSync } from "node:fs";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { ApiToken } from "pulumi-event-datasets";

const { EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN } = process.env;
if (!EVENT_DATASETS_BASE_URL || !EVENT_DATASETS_ACCESS_TOKEN) {
  throw new Error("set EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN");
}

const program = async () => {
  const ci = new ApiToken("ci", { orgCapabilities: { annotations: ["create"] }, expiresIn: "30d" });
  return { token: ci.token, fingerprint: ci.fingerprint };
};

const stack = await LocalWorkspace.createOrSelectStack(
  { stackName: process.argv[2] ?? "dev", projectName: "automation", program },
  { envVars: { EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN } },
);

if (process.argv.includes("--destroy")) {
  await stack.destroy({ remove: true });
  process.exit();
}

const { summary, outputs } = await stack.up({
  onEvent(event) {
    // Debug messages show secrets in plain text: drop them before you log or pass on an event. The type doesn't name them.
    if (String(event.diagnosticEvent?.severity) === "debug") return;
    appendFileSync("events.jsonl", `${JSON.stringify(event)}\n`);
  },
});
// Here `outputs.token.value` is the secret in plain text: do not print it. The fingerprint is safe to print.
console.log(`${summary.result}: ${outputs.fingerprint?.value}, ${JSON.stringify(summary.resourceChanges)}`);
