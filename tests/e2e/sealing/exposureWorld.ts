import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { openSealed } from "../../../cli/open";
import { start } from "../../support/command";
import { createDeployment, type Deployment, makeByHand } from "../../support/deployment";
import { ageKey } from "../../support/keys";
import { bothForms, CHECKOUT, type Form, forms, inForm } from "../../support/program";
import { withWarmHosts } from "../../support/warmHosts";
import { type Exposure, type ExposureId, exposures, type Kind } from "./exposures";

/** In each form: a plain token, a sealed one of an explicit provider, and an annotation with a secret argument. */
const program = `import * as pulumi from "@pulumi/pulumi";
${bothForms}
const { GENERATION: generation, AGE: sealFor = "" } = process.env;
const secretOf = (name: string) => pulumi.secret(process.env[name] ?? "");
const args = { expiresIn: "90d", rotation: { rotateBefore: "14d", triggers: { generation: generation ?? "" } } } as const;
export const tokens = pulumi.all(inBothForms((form, { Annotation, ApiToken, Provider }) => {
  const baseUrl = process.env.EVENT_DATASETS_BASE_URL ?? "";
  const provider = new Provider(form + "-provider", { baseUrl, accessToken: secretOf("PROVIDER_" + form) });
  new ApiToken(form + "-sealed", { ...args, name: form + "-sealed-" + generation, sealFor }, { provider });
  new Annotation(form + "-argument", {
    datasets: ["web"], type: "deploy", time: "2030-01-01T00:00:00Z", title: "generation " + generation,
    description: secretOf("ARGUMENT_" + form),
  });
  return new ApiToken(form + "-token", { ...args, name: form + "-token-" + generation }).token;
}));
`;

/** Updates the stack, with the function of the example as a listener beside one that keeps every event. */
const automation = (onEvent: string) => `
import { appendFileSync, writeFileSync } from "node:fs";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
const sample = { ${onEvent} };
const events = [];
const stack = await LocalWorkspace.selectStack({ stackName: "dev", workDir: "." });
await stack.up({ onEvent: (event) => { events.push(event); sample.onEvent(event); } });
writeFileSync("../found/onEvent", JSON.stringify(events));
`;

/** The function of the example that users copy. */
async function readListener(): Promise<string> {
  const example = await readFile(path.join(CHECKOUT, "examples/automation/deploy.ts"), "utf8");
  const [listener] = /onEvent\(event\) \{[\s\S]*?\n {2}\}/.exec(example) ?? [];
  if (!listener) throw new Error("examples/automation/deploy.ts has no onEvent");
  return listener;
}

/** A policy pack that writes down all that it receives. The engine starts the file itself. */
async function writePack(folder: string): Promise<string> {
  await mkdir(folder);
  const file = path.join(folder, "pack");
  const host = path.join(CHECKOUT, "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  await symlink(path.join(CHECKOUT, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), `{ "name": "pack", "version": "1.0.0", "main": "pack.js" }`);
  await writeFile(path.join(folder, "PulumiPolicy.yaml"), "runtime: nodejs\nversion: 1.0.0\n");
  const common = `description: "keeps all", enforcementLevel: "advisory"`;
  await writeFile(
    path.join(folder, "pack.js"),
    `const keep = (args) => require("node:fs").appendFileSync("${folder}/../found/policyPack", JSON.stringify(args));
    new (require("@pulumi/policy").PolicyPack)("pack", { policies: [
      { name: "resources", ${common}, validateResource: ({ props }) => keep(props) },
      { name: "stack", ${common}, validateStack: ({ resources }) => keep(resources.map(({ props }) => props)) },
    ] });`,
  );
  await writeFile(file, `#!/bin/sh\ncd "${folder}" && exec "${process.execPath}" "${host}" "$1" "${folder}"\n`);
  await chmod(file, 0o755);
  return file;
}

/** The 276 of v3.276.0. */
const minorOf = (version: string) => Number(version.split(".")[1]);

/** A secret, and in which form the program has it; undefined: in neither. */
export interface Canary {
  readonly kind: Kind | "sealed" | "environment";
  readonly form: Form | undefined;
  readonly secret: string;
}

/** The stack after every command of the table. */
export interface ExposureWorld extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly canaries: readonly Canary[];
  /** The text that each switch printed, or wrote into a file. */
  readonly found: Readonly<Partial<Record<ExposureId | "filteredEvents", string>>>;
  /** Whether this version of the engine can run the row. */
  has(id: ExposureId): boolean;
}

/** The stack before the first command. */
interface Start extends Pick<ExposureWorld, "deployment" | "has"> {
  readonly canaries: Canary[];
  readonly found: Partial<Record<ExposureId | "filteredEvents", string>>;
  /** The environment of a program that replaces the tokens of other generations. */
  envOf(generation: number, more?: Record<string, string>): Record<string, string>;
  /** The file in which a switch writes. */
  fileOf(id: ExposureId): string;
  /** Notes the secrets of the tokens that an update made. */
  learn(): Promise<void>;
}

/** Makes the stack, and a canary for each kind of secret in each form. */
async function prepare(): Promise<Start> {
  const key = await ageKey();
  const files = { "index.ts": program, "automation.mjs": automation(await readListener()) };
  const deployment = await createDeployment(inForm("both", { program: files }));
  const { workspace, service } = deployment;
  const version = minorOf((await workspace.run(["version"])).stdout);
  const orgCapabilities = { apiTokens: ["create", "read"] } as const;
  const make = async (name: string) => (await makeByHand(service, { name, orgCapabilities })).token;
  const config = await make("config");
  const canaries: Canary[] = [
    { kind: "environment", form: undefined, secret: service.rootToken },
    { kind: "config", form: undefined, secret: config },
  ];
  const environment: Record<string, string> = { AGE: key.recipient, PULUMI_DEBUG_COMMANDS: "true" };
  for (const form of forms) {
    const [provider, argument] = [await make(form), `cnry-of-${form}-argument-51c7a0e9d3`];
    canaries.push({ kind: "provider", form, secret: provider }, { kind: "argument", form, secret: argument });
    Object.assign(environment, { [`PROVIDER_${form}`]: provider, [`ARGUMENT_${form}`]: argument });
  }
  await workspace.setConfig("event-datasets:accessToken", config, { secret: true });
  await mkdir(path.join(workspace.root, "found"));
  return {
    deployment,
    canaries,
    found: {},
    has(id) {
      const { since, runFrom = since }: Exposure = exposures[id];
      return runFrom === undefined || minorOf(runFrom) <= version;
    },
    envOf: (generation, more = {}) => ({ ...environment, GENERATION: `${generation}`, ...more }),
    fileOf: (id) => path.join(workspace.root, "found", id),
    async learn() {
      const { tokens } = (await workspace.outputs({ showSecrets: true })) as { tokens: string[] };
      for (const [at, form] of forms.entries()) {
        const { outputs } = await deployment.resource("ApiToken", `${form}-sealed`);
        const sealed = await openSealed(JSON.stringify(outputs?.sealedToken), key.identity);
        canaries.push({ kind: "token", form, secret: tokens[at] ?? "" }, { kind: "sealed", form, secret: sealed });
      }
    },
  };
}

/** The commands that run the program, each with several switches. */
async function runProgram({ deployment: { workspace }, found, has, envOf, fileOf, learn }: Start): Promise<void> {
  const logs = ["-v=3", "--logtostderr", `--tracing=file:${fileOf("tracing")}`];
  const traces = has("otelTraces") ? [`--otel-traces=file://${fileOf("otelTraces")}`] : [];
  const first = await workspace.up({
    args: ["--diff", "--show-secrets", ...logs, ...traces],
    env: envOf(1, { PULUMI_DEBUG_GRPC: fileOf("grpc") }),
    hosts: "engine",
  });
  [found.shownDiff, found.verbose] = [first.stdout, first.stderr];
  if (has("decryptedLog")) found.decryptedLog = (await workspace.run(["logs", "decrypt", "--latest"])).stdout;
  await learn();

  const pack = has("policyPack") ? ["--policy-pack", await writePack(path.join(workspace.root, "pack"))] : [];
  const second = await workspace.up({
    args: ["--json", `--event-log=${fileOf("eventLog")}`, ...pack],
    env: envOf(2),
  });
  found.json = second.stdout;
  await learn();

  const preview = async (generation: number, args: readonly string[], more = {}) =>
    (await workspace.preview({ args, env: envOf(generation, more) })).stdout;
  found.debug = await preview(2, ["--debug"]);
  found.streamedPreview = await preview(2, ["--json"], { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" });
  found.preview = await preview(3, ["--json", `--save-plan=${fileOf("plan")}`]);

  const env = withWarmHosts(workspace.environment(envOf(3)));
  const ended = await (await start(process.execPath, ["automation.mjs"], { cwd: workspace.program, env })).done;
  if (ended.code !== 0) throw new Error(`the Automation API failed:\n${ended.stderr}`);
  found.filteredEvents = await readFile(path.join(workspace.program, "events.jsonl"), "utf8");
  await learn();
}

/** The commands that read the stack. */
async function readStack({ deployment: { workspace }, found, has }: Start): Promise<void> {
  const run = async (...args: readonly string[]) => (await workspace.run(args)).stdout;
  const show = "--show-secrets";
  found.stackOutput = await run("stack", "output", "--json", show);
  found.stack = await run("stack", show);
  found.export = await run("stack", "export", show);
  const { deployment: state } = await workspace.export();
  const urns = (state.resources ?? []).map(({ urn }) => urn);
  if (has("stateGet"))
    found.stateGet = (await Promise.all(urns.map((urn) => run("state", "get", show, urn)))).join("\n");
  found.configGet = await run("config", "get", "event-datasets:accessToken");
  found.config = await run("config", show);
  found.history = await run("stack", "history", "--json", show);
  found.plainExport = (await run("stack", "export")) + (await run("stack", "history", "--json"));
}

/** Runs every row of the table that this version of the engine has. */
export async function startExposureWorld(): Promise<ExposureWorld> {
  const begun = await prepare();
  const { deployment, canaries, found, has, fileOf } = begun;
  const end = () => deployment[Symbol.asyncDispose]();
  try {
    await runProgram(begun);
    await readStack(begun);
    const written = (await readdir(path.join(deployment.workspace.root, "found"))) as ExposureId[];
    for (const id of written) found[id] = await readFile(fileOf(id), "latin1");
  } catch (failure) {
    await end();
    throw failure;
  }
  return { deployment, canaries, found, has, [Symbol.asyncDispose]: end };
}
