import { constants } from "node:fs";
import { copyFile, lstat, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { readCheckpoint, UnreadFile } from "../auditSources";
import { baseOfCheckpoint, type StoredStack, stackOfCheckpoint } from "../checkpoints";
import { shellCommand } from "../shell";
import { say } from "../text";
import { chainCommands } from "./commands";
import type { Problem } from "./problem";

/** The damage of one file of a backend: an empty file of attributes, or a truncated state. */
export async function inspectFile(inside: string, file: string): Promise<Problem[]> {
  const isAttributes = file.endsWith(".attrs") && baseOfCheckpoint(path.basename(file, ".attrs")) !== undefined;
  if (isAttributes && (await stat(file)).size === 0) {
    return [
      {
        found: say`${inside} is empty, so every command fails with EOF`,
        remedy: shellCommand("rm", file),
        apply: () => rm(file),
      },
    ];
  }
  return inspectCheckpoint(inside, file);
}

async function inspectCheckpoint(inside: string, file: string): Promise<Problem[]> {
  const stored = stackOfCheckpoint(inside);
  if (stored === undefined) return [];
  const failure = await failureOf(file);
  if (failure === undefined) return [];
  const [found, note] = [say`${inside} is truncated`, say`make it readable for this user: it may be whole`];
  if (failure instanceof UnreadFile) return [{ found: say`${failure.message}`, note }];
  const backup = await findWholeState([
    `${file}.bak`,
    ...(await findKeptStates(file.slice(0, -inside.length), stored)),
  ]);
  if (backup instanceof UnreadFile) return [{ found: say`${found}, and ${backup.message}`, note }];
  if (backup === undefined)
    return [{ found: say`${found}, and so is its .bak`, note: say`restore it from your own backup` }];
  const [kept, restored] = [await findFreeName(`${file}.broken`), `${file}.restored`];
  return [
    {
      found:
        backup === `${file}.bak`
          ? say`${found}: its .bak has the previous state`
          : say`${found}, and so is its .bak: the backend kept the state of an earlier update`,
      note: say`an audit will report the tokens created since then as "undeclared"`,
      // The state is replaced in one step, so that a disk that is still full leaves it as it is.
      remedy: chainCommands(
        shellCommand("cp", file, kept),
        shellCommand("cp", backup, restored),
        shellCommand("mv", restored, file),
      ),
      apply: async () => {
        await copyFile(file, kept, constants.COPYFILE_EXCL);
        await copyFile(backup, restored);
        await rename(restored, file);
      },
    },
  ];
}

/** The name, or the first with a number after it that is free: an earlier truncated state is kept, too. */
async function findFreeName(name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}.${number}`;
    const isTaken = await lstat(candidate).then(
      () => true,
      () => false,
    );
    if (!isTaken) return candidate;
  }
}

/**
 * Finds the newest complete state of a stack with a truncated one: its .bak, or else a state that the engine kept after an update.
 * One that cannot be read may be that state, so the search ends there.
 * On a full disk, the engine writes truncated states repeatedly, and copies the previous one to the .bak, until that is truncated
 * as well.
 */
async function findWholeState(candidates: readonly string[]): Promise<string | UnreadFile | undefined> {
  for (const candidate of candidates) {
    const failure = await failureOf(candidate);
    if (failure === undefined) return candidate;
    if (failure instanceof UnreadFile && !failure.isMissing) return failure;
  }
  return undefined;
}

const failureOf = (file: string): Promise<unknown> =>
  readCheckpoint(file).then(
    () => undefined,
    (failure: unknown) => failure,
  );

/** The newest first. The engine keeps states in `.pulumi/backups/PROJECT/STACK` and in `.pulumi/history/PROJECT/STACK`. */
async function findKeptStates(backend: string, { project = "", stack }: StoredStack): Promise<string[]> {
  const kept: { readonly file: string; readonly at: bigint }[] = [];
  for (const [place, pattern] of [
    ["backups", /\.(\d+)$/],
    ["history", /-(\d+)\.checkpoint$/],
  ] as const) {
    const folder = path.join(backend, ".pulumi", place, project, stack);
    for (const name of await readdir(folder).catch(() => [])) {
      const [, at] = pattern.exec(baseOfCheckpoint(name) ?? "") ?? [];
      if (at !== undefined) kept.push({ file: path.join(folder, name), at: BigInt(at) });
    }
  }
  return kept.sort((a, b) => (a.at > b.at ? -1 : 1)).map((one) => one.file);
}
