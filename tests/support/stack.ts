import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Workspace } from "./engine";
import { keyProvider } from "./keyService";
import { sharedFolder } from "./once";

// The engine makes the first stack of a test run, and every other is a copy of it. This saves 0.2 CPU seconds for
// each of over a hundred workspaces.

/** Where the backend keeps the state of the workspace's stack. */
export const stateFileOf = async ({ backend, program, stack }: Workspace): Promise<string> =>
  path.join(backend, ".pulumi", "stacks", await readProjectName(program), `${stack}.json`);

/** Makes the workspace's stack as `pulumi stack init` does, and selects it. */
export async function initStack(workspace: Workspace): Promise<void> {
  const { stack, program } = workspace;
  const project = await readProjectName(program);
  const settings = `Pulumi.${stack}.yaml`;
  const ownSettings = (await readdir(program)).includes(settings);
  const template = path.join(sharedFolder(), "stacks", `${project}-${stack}-${workspace.keys ? "key" : "passphrase"}`);
  if (ownSettings || !existsSync(template)) {
    const key = workspace.keys ? ["--secrets-provider", keyProvider] : [];
    await workspace.run(["stack", "init", stack, ...key]);
    if (!ownSettings) await keep(workspace, template, settings);
    return;
  }
  await cp(path.join(template, "backend"), workspace.backend, { recursive: true });
  await cp(path.join(template, settings), path.join(program, settings));
  await select(workspace, project);
}

/** Suites start at once: the first to finish wins, the others' copies are as good. */
async function keep({ backend, program }: Workspace, template: string, settings: string): Promise<void> {
  await mkdir(path.dirname(template), { recursive: true });
  const draft = await mkdtemp(`${template}-`);
  await cp(backend, path.join(draft, "backend"), { recursive: true });
  await cp(path.join(program, settings), path.join(draft, settings));
  await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
}

/** As the engine notes which stack a program's folder has selected. */
async function select({ home, backend, program, stack }: Workspace, project: string): Promise<void> {
  const hash = createHash("sha1").update(path.join(program, "Pulumi.yaml")).digest("hex");
  const folder = path.join(home, "workspaces");
  await mkdir(folder, { recursive: true });
  const selected = { stacks: { [`file://${backend}`]: `organization/${project}/${stack}` } };
  await writeFile(path.join(folder, `${project}-${hash}-workspace.json`), JSON.stringify(selected));
}

/** The name in a program's `Pulumi.yaml`. */
async function readProjectName(program: string): Promise<string> {
  const name = /^name: *"?([\w.-]+)"? *$/m.exec(await readFile(path.join(program, "Pulumi.yaml"), "utf8"))?.[1];
  if (!name) throw new Error(`${program}/Pulumi.yaml names no project`);
  return name;
}
