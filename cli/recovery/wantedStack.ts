import { readFile } from "node:fs/promises";
import path from "node:path";
import { isObject } from "../../values/json";
import { type StoredStack, stackOfCheckpoint } from "../checkpoints";

/** The stack to diagnose. An undefined part matches every value. */
export interface WantedStack {
  readonly project: string | undefined;
  readonly stack: string | undefined;
}

/**
 * A backend can hold the stacks of many projects. As for the Pulumi CLI, a name that is not fully qualified belongs to the project
 * in the folder.
 * @param name the option `--stack`: `prod`, `acme/prod` or `acme/web/prod`
 */
export async function findWantedStack(name: string | undefined, cwd: string): Promise<WantedStack> {
  const parts = name?.split("/") ?? [];
  const project = parts.length > 2 ? parts.at(-2) : await findProject(path.resolve(cwd));
  return { project, stack: parts.at(-1) };
}

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The name of the project in this folder, or in the nearest one above it. */
async function findProject(folder: string): Promise<string | undefined> {
  for (const file of projectFiles) {
    const text = await readFile(path.join(folder, file), "utf8").catch(() => undefined);
    if (text !== undefined) return file.endsWith("json") ? nameInJson(text) : nameInYaml(text);
  }
  const above = path.dirname(folder);
  return above === folder ? undefined : findProject(above);
}

/** A project's name has letters, digits, "-", "_" and "." only. */
const nameInYaml = (text: string): string | undefined => /^name:\s*["']?([\w.-]+)/m.exec(text)?.[1];

function nameInJson(text: string): string | undefined {
  try {
    const project: unknown = JSON.parse(text);
    return isObject(project) && typeof project.name === "string" ? project.name : undefined;
  } catch {
    return undefined;
  }
}

/** The stack that a file in a backend's folder belongs to, by its path below the folder. */
export function ownerOf(inside: string): StoredStack | undefined {
  const [, kind, ...folders] = path.dirname(inside).split(path.sep);
  if (kind === "stacks") return stackOfCheckpoint(inside.replace(/(\.(attrs|bak))*$/, ""));
  const [stack, project] = folders.reverse();
  if (stack === undefined) return undefined;
  return project === undefined ? { stack } : { project, stack };
}
