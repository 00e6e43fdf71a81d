import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { brokenChunks, garbled, truncate } from "../faults/behaviours";
import { type Behaviour, FaultProxy, forwardTo } from "../faults/proxy";
import { canaries, canaryEnvironment, canaryProgram } from "../support/canaries";
import { cli } from "../support/cli";
import { startTemporaryEmulator } from "../support/deployment";
import { createWorkspace, type Workspace } from "../support/engine";
import { findSecret, findSecrets, measureFolder, type SecretHit } from "../support/secrets";

const extended = { EVENT_DATASETS_PROFILE: "extended" } as const;

/** A service that says what it was sent. */
const repeating: Behaviour = ({ request, response }) => {
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ message: `refused ${request.headers.authorization} for ${request.method}` }));
};

/** Every way to fail, one update each; then everything else that a stack goes through. */
async function live(workspace: Workspace, fail: (behaviour: Behaviour | undefined) => void): Promise<void> {
  const run = { expectFailure: "either" } as const;
  await workspace.setConfig("event-datasets:accessToken", canaries.credential, { secret: true });
  await workspace.preview({ args: ["--diff"] });
  await workspace.up();
  let generation = 2;
  for (const behaviour of [garbled, brokenChunks, truncate, repeating]) {
    await workspace.writeFile("index.js", canaryProgram(generation++));
    fail(behaviour);
    await workspace.up(run);
    fail(undefined);
  }
  fail(repeating);
  await workspace.refresh(run);
  fail(undefined);
  await workspace.up();
  await workspace.refresh({ args: ["--diff"] });
  await workspace.up({ env: { CANARY_FAILURE: "adoption" }, expectFailure: true });
  await workspace.refresh({ env: { EVENT_DATASETS_ACCESS_TOKEN: canaries.otherCredential }, ...run });
  await workspace.run(["stack", "history", "--json"]);
  await workspace.run(["stack", "export", "--file", "exported.json"]);
  fail(garbled);
  await workspace.destroy(run);
  fail(undefined);
}

/** What the commands print that CI systems read. */
async function commands({ program }: Workspace, url: string): Promise<Record<string, string>> {
  const env = { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: canaries.credential, ...extended };
  const printed: Record<string, string> = {};
  for (const format of ["table", "json", "sarif", "junit"]) {
    const { stdout, stderr } = await cli(["audit", "--state", "exported.json", "--output", format], {
      env,
      cwd: program,
    });
    printed[`audit as ${format}`] = stdout + stderr;
  }
  return printed;
}

test("no canary is in any byte that a stack's whole life wrote or printed", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended", rootToken: canaries.credential });
  let behaviour: Behaviour | undefined;
  await using proxy = await FaultProxy.start(forwardTo(service.url), {
    behaviour: (exchange) => behaviour?.(exchange),
    meets: (method, target) => behaviour !== undefined && (method !== "GET" || target !== "/v2/tokens"),
    times: Number.POSITIVE_INFINITY,
  });
  await using workspace = await createWorkspace({
    program: { "index.js": canaryProgram(1) },
    env: {
      EVENT_DATASETS_BASE_URL: proxy.url,
      EVENT_DATASETS_ACCESS_TOKEN: canaries.credential,
      ...extended,
      ...canaryEnvironment,
    },
  });
  await live(workspace, (next) => {
    behaviour = next;
  });
  const printed = await commands(workspace, proxy.url);
  expect(proxy.minted.length).toBeGreaterThan(5);

  const secrets = [...Object.values(canaries), ...proxy.minted];
  const texts = { ...printed, transcript: workspace.transcript() };
  const places = { folders: [workspace.root], texts };
  // Whoever asks for a report of what is live is told for which datasets.
  const isReported = ({ where }: SecretHit) => where.startsWith("audit as");
  const unreported = secrets.filter((secret) => secret !== canaries.dataset);
  const found = [
    ...(await findSecrets(places, unreported)),
    ...(await findSecrets(places, [canaries.dataset])).filter((hit) => !isReported(hit)),
  ];
  expect(found).toEqual([]);
  const { files, bytes } = await measureFolder(workspace.root);
  const size = Object.values(texts).reduce((sum, { length }) => sum + length, 0);
  process.stderr.write(`leak scan: ${secrets.length} canaries, ${files} files of ${bytes} bytes, ${size} printed\n`);

  // A planted leak shows that the scan looks everywhere.
  for (const folder of [workspace.backend, workspace.home, workspace.temp, workspace.program]) {
    const planted = path.join(folder, "planted.log");
    await writeFile(planted, Buffer.from(`x${canaries.description}`).toString("base64"));
    expect(await findSecret(places, canaries.description)).toContainEqual({ where: planted, form: "base64, offset 1" });
    await rm(planted);
  }
});
