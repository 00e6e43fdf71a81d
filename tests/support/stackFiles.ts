import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Workspace } from "./engine";

async function projectOf({ program }: Pick<Workspace, "program">): Promise<string> {
  const project = await readFile(path.join(program, "Pulumi.yaml"), "utf8");
  const name = /^name: *"?([\w.-]+)"? *$/m.exec(project)?.[1];
  if (name === undefined) throw new Error(`no name in Pulumi.yaml:\n${project}`);
  return name;
}

/** The file with the stack's state. */
export const stateFile = async (place: Pick<Workspace, "backend" | "program" | "stack">): Promise<string> =>
  path.join(place.backend, ".pulumi", "stacks", await projectOf(place), `${place.stack}.json`);

/** Makes the tokens of a state an hour old: a new one that is not found is not treated as gone. */
export async function ageTokens(place: Parameters<typeof stateFile>[0]): Promise<void> {
  const file = await stateFile(place);
  const age = (_: string, start: string, at: string) =>
    `${start}${new Date(Date.parse(at) - 3_600_000).toISOString()}"`;
  await writeFile(file, (await readFile(file, "utf8")).replace(/("createdAt": ?")([^"]+)"/g, age));
}

/**
 * Makes an empty stack and selects it, as `pulumi stack init` does: that takes a third of a second of CPU time, and there are 140
 * workspaces. Those whose key comes from a passphrase, and the examples, run the command.
 * @param settings of the stack's key
 */
export async function writeStack(workspace: Workspace, settings: string): Promise<void> {
  const { backend, home, program, stack } = workspace;
  const project = await projectOf(workspace);
  const name = `organization/${project}/${stack}`;
  const selected = createHash("sha1").update(path.join(program, "Pulumi.yaml")).digest("hex");
  const files = {
    [path.join(backend, ".pulumi", "meta.yaml")]: "version: 1\n",
    [await stateFile(workspace)]: JSON.stringify({ version: 3, checkpoint: { stack: name } }),
    [path.join(home, "workspaces", `${project}-${selected}-workspace.json`)]: JSON.stringify({
      stacks: { [`file://${backend}`]: name },
    }),
  };
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await appendFile(path.join(program, `Pulumi.${stack}.yaml`), settings);
}
