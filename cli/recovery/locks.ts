import { rm } from "node:fs/promises";
import path from "node:path";
import { isObject } from "../../values/json";
import { readJsonFile } from "../auditSources";
import { say } from "../text";
import type { Commands } from "./commands";
import { judgeOwner } from "./lockOwner";
import type { Problem } from "./problem";

/** The path of a lock, in a folder named after the stack: `organization/web/prod`, or `prod` in the old layout. */
const lockFile = /^\.pulumi[/\\]locks[/\\](.*)[/\\][^/\\]*\.json$/s;

/** The lock of an update. It is removed only if its process has certainly ended. */
export async function inspectLock(inside: string, file: string, commands: Commands): Promise<Problem[]> {
  const [, folder] = lockFile.exec(inside) ?? [];
  if (folder === undefined) return [];
  const stack = folder.split(path.sep).join("/");
  const content = await readJsonFile(file).catch(() => undefined);
  const lock = isObject(content) ? content : {};
  const remedy = commands.forStack(stack).pulumi("cancel", "--yes");
  switch (await judgeOwner(lock, file)) {
    case "running":
      return [
        {
          found: say`stack ${stack} is locked by process ${String(lock.pid)}, which is running`,
          note: say`wait until that update ends, or end it; do not cancel the lock`,
        },
      ];
    case "ended":
      return [{ found: say`${inside} is a leftover lock of an update that ended`, remedy, apply: () => rm(file) }];
    case "unknown": {
      const owner = typeof lock.hostname === "string" ? `on ${lock.hostname}` : "somewhere";
      return [
        {
          found: say`stack ${stack} is locked by an update ${owner}: this process cannot tell whether it is still running`,
          note: say`make sure that it ended; then: ${remedy}`,
        },
      ];
    }
  }
}
