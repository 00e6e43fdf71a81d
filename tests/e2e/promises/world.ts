import { writeFile } from "node:fs/promises";
import path from "node:path";
import { cli } from "../../support/cli";
import { createDeployment, type Deployment } from "../../support/deployment";
import type { WorkspaceOptions } from "../../support/engine";
import { bothForms, type Form, inForm, moduleOf } from "../../support/program";

/** An expiry that no test reaches, and the rights of most tokens. */
export const expiresAt = "2099-01-01T00:00:00Z";
export const rights = 'orgCapabilities: { apiTokens: ["read"] }';

/** A resource that uses a value, and whose update fails while there is a file `down` beside the program. */
const consumer = `class Consumer extends pulumi.CustomResource {
  constructor(name: string, value: pulumi.Input<string>) {
    super("pulumi-nodejs:test:Consumer", name, { value, __provider: 'exports.handler=()=>require("./consumer.js")' });
  }
}
`;
const consumerProvider = `const { existsSync } = require("node:fs");
exports.diff = async (id, olds, news) => ({ changes: olds.value !== news.value });
exports.create = async ({ value }) => ({ id: "consumer", outs: { value } });
exports.update = async (id, olds, { value }) => {
  if (existsSync("down")) throw new Error("the consumer is down");
  return { outs: { value } };
};
`;

/** The text of a program: its imports, a class `Consumer`, and these declarations. In both forms it has `inBothForms`. */
export const programOf = (form: Form | "both", text: string): string => `import * as pulumi from "@pulumi/pulumi";
${form === "both" ? bothForms : importsOf(form)}
${consumer}
${text}
`;

const importsOf = (form: Form) =>
  `import { Annotation, ApiToken, DeploymentAnnotation, Provider, QueryGate } from "${moduleOf(form)}";`;

/** A program in one form or in both, on a service and with settings of the profile `extended`, unless the options say otherwise. */
export function deploy(
  form: Form | "both",
  text: string,
  {
    env,
    profile = "extended",
    ...more
  }: Omit<WorkspaceOptions, "program"> & { profile?: "documented" | "extended" } = {},
): Promise<Deployment> {
  const program = { "index.ts": programOf(form, text), "consumer.js": consumerProvider };
  const settings = { EVENT_DATASETS_PROFILE: profile, ...env };
  return createDeployment({ ...inForm(form, { ...more, program, env: settings }), serviceOptions: { profile } });
}

/** Declares something else. */
export const declare = ({ workspace }: Deployment, form: Form | "both", text: string): Promise<void> =>
  workspace.writeFile("index.ts", programOf(form, text));

/** The ids of the live tokens, oldest first. */
export const liveIds = ({ service }: Deployment): string[] => service.tokens.list().map(({ id }) => id);

/** The ids of these tokens in the state. */
export const idsOf = (it: Deployment, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map(async (name) => (await it.resource("ApiToken", name)).id ?? ""));

/** A finding of an audit, as far as the tests look at it. */
interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly token: { readonly id: string };
}

/** Audits the stack, or a state in a file. */
export async function audit({ workspace, service }: Deployment, state?: object) {
  const file = path.join(workspace.temp, "state.json");
  if (state) await writeFile(file, JSON.stringify(state));
  const { code, stdout } = await cli(["audit", ...(state ? ["--state", file] : ["--all-stacks"]), "--output", "json"], {
    cwd: workspace.temp,
    env: {
      HOME: workspace.home,
      PULUMI_HOME: workspace.home,
      PULUMI_BACKEND_URL: `file://${workspace.backend}`,
      PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      EVENT_DATASETS_BASE_URL: service.url,
      EVENT_DATASETS_ACCESS_TOKEN: service.rootToken,
    },
  });
  const findings: readonly Finding[] = JSON.parse(stdout).findings;
  return { code, about: (id: string) => findings.filter(({ token }) => token.id === id) };
}
