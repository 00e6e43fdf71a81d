import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { AuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";
import { exportOf } from "../support/states";

const runner = "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js";

/** Stands for a host that was started for an engine and never called, or for one that does something then. */
async function startHost(folder: AuditFolder, program: string, address: string, script: string) {
  const cwd = path.join(folder.path, program);
  await mkdir(path.dirname(path.join(cwd, runner)), { recursive: true });
  const host = spawn(process.execPath, [await folder.write(path.join(program, runner), script), "-v=9", address], {
    cwd,
    stdio: "ignore",
  });
  await once(host, "spawn");
  return host;
}

const forEver = "setInterval(Date, 1e6);";
/** As one does that has loaded this package. */
const untilItLooks = "setTimeout(process.exit, 1500);";

test("a provider host without an engine is named, and --apply stops it; other hosts are kept", async () => {
  await using service = await startService(json(200, [{ id: "t1", name: "a" }]));
  await using folder = await AuditFolder.create();
  const engine = createServer().listen(0, "127.0.0.1");
  await once(engine, "listening");
  const alive = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const gone = "127.0.0.1:1";
  await folder.write("calm.json", exportOf({ tokens: [{ name: "a", id: "t1" }] }));
  const idle = await startHost(folder, "web", gone, forEver);
  const ending = await startHost(folder, "web/ending", gone, untilItLooks);
  const called = await startHost(folder, "web/called", alive, forEver);
  const elsewhere = await startHost(folder, "other", gone, forEver);
  const recover = (...args: string[]) =>
    folder.run(["recover", "--state", "calm.json", "--cwd", "web", ...args], service, {
      PULUMI_BACKEND_URL: "https://pulumi.example.com",
    });
  try {
    const shown = await recover();
    // Only Linux has a table of processes that shows where each runs.
    const found = process.platform === "linux" ? `process ${idle.pid} hosts dynamic providers` : "no problems found";
    expect(shown.stdout.split("\n")[0]).toContain(found);
    expect(shown.code).toBe(process.platform === "linux" ? 1 : 0);
    expect(shown.stdout).not.toMatch(new RegExp(`process (${ending.pid}|${called.pid}|${elsewhere.pid}) `));

    expect((await recover("--apply")).code).toBe(0);
    if (process.platform === "linux" && idle.signalCode === null) await once(idle, "exit");
    expect([called.signalCode, elsewhere.signalCode]).toEqual([null, null]);
  } finally {
    for (const host of [idle, ending, called, elsewhere]) host.kill("SIGKILL");
    engine.close();
  }
});
