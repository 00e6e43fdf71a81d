import { cli } from "../../support/cli";
import { createDeployment, type Deployment } from "../../support/deployment";
import { bothForms, type Form, inForm, moduleOf } from "../../support/program";

/** An expiry that no test reaches, and the rights of most tokens. */
export const expiresAt = "2099-01-01T00:00:00Z";
export const rights = 'orgCapabilities: { apiTokens: ["read"] }';

/** The text of a program: its imports, and these declarations. In both forms it has `inBothForms`. */
const programOf = (form: Form | "both", text: string): string => `import * as pulumi from "@pulumi/pulumi";
${form === "both" ? bothForms : `import { ApiToken } from "${moduleOf(form)}";`}
${text}
`;

/** A program in one form or in both, on a service and with settings of the profile `extended`, unless the options say otherwise. */
export function deploy(
  form: Form | "both",
  text: string,
  options: Omit<Parameters<typeof createDeployment>[0], "program"> = {},
): Promise<Deployment> {
  const program = { "index.ts": programOf(form, text) };
  return createDeployment(inForm(form, { profile: "extended", ...options, program }));
}

/** Declares something else. */
export const declare = ({ workspace }: Deployment, form: Form | "both", text: string): Promise<void> =>
  workspace.writeFile("index.ts", programOf(form, text));

/** The ids of the live tokens, oldest first. */
export const liveIds = ({ service }: Deployment): string[] => service.tokens.list().map(({ id }) => id);

/** The ids of these tokens in the state. */
export const idsOf = (it: Deployment, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map(async (name) => (await it.resource("ApiToken", name)).id ?? ""));

/** The rules of an audit's findings about each token, by its id. */
export async function auditRules({ workspace }: Deployment): Promise<(id: string) => string[]> {
  const options = { cwd: workspace.temp, env: workspace.environment(), ownProcess: false };
  const { stdout } = await cli(["audit", "--all-stacks", "--output", "json"], options);
  const { findings }: { findings: { rule: string; token: { id: string } }[] } = JSON.parse(stdout);
  return (id) => findings.filter(({ token }) => token.id === id).map(({ rule }) => rule);
}

/** The lines of a command's output that name an object. */
export const linesAbout = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }, id: string) =>
  (stdout + stderr).split("\n").filter((line) => line.includes(id));
