import { copyFile, readdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { installCommand, recoverAsPrinted } from "../kills/recovery";
import { Trap } from "../kills/trap";
import { cli } from "../support/cli";
import type { RunningCommand } from "../support/command";
import { startTemporaryEmulator } from "../support/deployment";
import { createWorkspace, type Workspace } from "../support/engine";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const declare = (...names: string[]) => `const { ApiToken } = require("pulumi-event-datasets");
for (const name of ${JSON.stringify(names)})
  exports[name] = new ApiToken(name, { orgCapabilities: { apiTokens: ["read"] } }).id;
`;

/**
 * Runs an update, and takes its state's folder away between the making of a token and its recording: a file in the folder's place,
 * which refuses every write, to root as well. It stands for a disk that is read-only, or full before the first byte.
 */
async function updateWithout(workspace: Workspace, trap: Trap, during: (update: RunningCommand) => Promise<void>) {
  const folder = path.join(workspace.backend, ".pulumi/stacks/e2e");
  const hold = trap.set({ request: "POST /v2/tokens", moment: "carried out" });
  // It is the trace that tells of a refused write.
  const args = ["up", "--yes", "--skip-preview", "--logtostderr", "-v=7"];
  const update = await workspace.start(args, { hosts: "engine" });
  await hold.caught;
  await rename(folder, `${folder}.away`);
  await writeFile(folder, "");
  hold.release("pass");
  await update.printed("Error while writing snapshot");
  await during(update);
  // In one step: between two the engine, which tries again, makes a new folder.
  await symlink(`${folder}.away`, `${folder}.link`);
  await rename(`${folder}.link`, folder);
  const result = await update.done;
  await rm(folder);
  await rename(`${folder}.away`, folder);
  return result;
}

test("a backend that becomes read-only during an update loses no token, and a truncated state can be restored", async () => {
  await using service = await startTemporaryEmulator();
  await using trap = await Trap.open(service.url);
  const connection = { baseUrl: trap.url, accessToken: service.rootToken, profile: "documented" } as const;
  const env = { EVENT_DATASETS_BASE_URL: trap.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  await using workspace = await createWorkspace({ program: { "index.js": declare("a") }, env });
  await installCommand(workspace);

  // For a moment: the engine tries again, and what was made is recorded.
  const short = await updateWithout(workspace, trap, async () => undefined);
  expect(short.code).toBe(0);
  expect(await workspace.outputs()).toEqual({ a: service.tokens.list()[0]?.id });

  // To the end of an engine that gives up or, as it takes it a minute, is killed.
  await workspace.writeFile("index.js", declare("a", "b"));
  await updateWithout(workspace, trap, async (update) => {
    update.kill("SIGKILL");
    await update.done;
  });
  const [, lost] = service.tokens.list();
  const { problems, pending, report } = await recoverAsPrinted({ workspace, connection });
  expect({ problems, pending }).toEqual({ problems: [], pending: true });
  expect(report).toContain(lost?.id);
  expect(trap.creates.map(({ id }) => id)).toEqual(service.tokens.list().map(({ id }) => id));
  const [a, , b] = service.tokens.list();
  expect(await workspace.outputs()).toEqual({ a: a?.id, b: b?.id });

  // A full disk (measured with one of 48 KiB) truncates both files at the end of a block.
  const file = path.join(workspace.backend, ".pulumi/stacks/e2e/dev.json");
  for (const one of [file, `${file}.bak`]) await truncate(one, 4096);
  const { stderr } = await workspace.up({ expectFailure: true });
  expect(stderr).toContain("failed to load checkpoint");
  const recovered = await cli(["recover", "--stack", "dev"], {
    cwd: workspace.program,
    env: { ...workspace.environment(), EVENT_DATASETS_ACCESS_TOKEN: connection.accessToken },
  });
  expect([recovered.code, recovered.stderr]).toEqual([2, expect.stringContaining(".pulumi/backups")]);
  // As the message and the guide say: the newest complete state that the backend kept.
  const kept = path.join(workspace.backend, ".pulumi/backups/e2e/dev");
  const names = (await readdir(kept)).filter((name) => name.endsWith(".json")).sort();
  await copyFile(path.join(kept, names.at(-1) ?? ""), file);
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs()).toEqual({ a: a?.id, b: b?.id });
  expect(trap.creates).toHaveLength(3);
});
