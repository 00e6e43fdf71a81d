import { copyFile, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { installCommand, recoverAsPrinted } from "../kills/recovery";
import { Trap } from "../kills/trap";
import { cli } from "../support/cli";
import { startTemporaryEmulator } from "../support/deployment";
import { createWorkspace } from "../support/engine";

const declare = (...names: string[]) => `const { ApiToken } = require("pulumi-event-datasets");
for (const name of ${JSON.stringify(names)})
  exports[name] = new ApiToken(name, { orgCapabilities: { apiTokens: ["read"] } }).id;
`;

/** Takes the state's folder away: a file in its place refuses every write, to root as well. It stands for a disk that is read-only. */
async function takeAway(folder: string): Promise<() => Promise<void>> {
  await rename(folder, `${folder}.away`);
  await writeFile(folder, "");
  return async () => {
    await rm(folder);
    await rename(`${folder}.away`, folder);
  };
}

test("a backend that becomes read-only during an update loses no token, and a truncated state can be restored", async () => {
  await using service = await startTemporaryEmulator();
  await using trap = await Trap.open(service.url);
  const connection = { baseUrl: trap.url, accessToken: service.rootToken, profile: "documented" } as const;
  const env = { EVENT_DATASETS_BASE_URL: trap.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  await using workspace = await createWorkspace({ program: { "index.js": declare("a") }, env });
  await installCommand(workspace);
  await workspace.up();

  // Between the making of a token and its recording, to the end of an engine that would try for a minute.
  await workspace.writeFile("index.js", declare("a", "b"));
  const hold = trap.set({ request: "POST /v2/tokens", moment: "carried out" });
  // It is the trace that tells of a refused write.
  const args = ["up", "--yes", "--skip-preview", "--logtostderr", "-v=7"];
  const update = await workspace.start(args, { hosts: "engine" });
  await hold.caught;
  const giveBack = await takeAway(path.join(workspace.backend, ".pulumi/stacks/e2e"));
  hold.release("pass");
  await update.printed("Error while writing snapshot");
  update.kill("SIGKILL");
  await update.done;
  await giveBack();
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
    env: workspace.environment(),
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
