import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { cli } from "./cli";
import type { CommandResult } from "./command";
import { exportOf } from "./states";

/** The credential of the audits; a canary: it must be in nothing that they print. */
export const credential = "xapt-canary-0a1b2c3d4e5f";

/** A folder with the state of an empty stack, in which audits run as a user runs them. */
export class AuditFolder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async create(): Promise<AuditFolder> {
    const folder = new AuditFolder(await mkdtemp(path.join(tmpdir(), "audit-")));
    await folder.write("state.json", exportOf({}));
    return folder;
  }

  /** Anything but text and bytes is written as JSON. Resolves to the file's path. */
  async write(name: string, content: unknown, mode = 0o644): Promise<string> {
    const target = path.join(this.path, name);
    await mkdir(path.dirname(target), { recursive: true });
    const isPlain = typeof content === "string" || Buffer.isBuffer(content);
    await writeFile(target, isPlain ? content : JSON.stringify(content), { mode });
    return target;
  }

  read = (name: string): Promise<string> => readFile(path.join(this.path, name), "utf8");

  /** The names of the files, in order. */
  list = async (): Promise<string[]> => (await readdir(this.path)).sort();

  run(
    command: readonly string[],
    service: { readonly url: string },
    env: Record<string, string> = {},
  ): Promise<CommandResult> {
    const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
    return cli(command, { cwd: this.path, env: { ...connection, ...env } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
