import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Engine } from "../../emulator/engine/engine";
import { makeFolder } from "../support/suite";
import { apl, countOf, endless, now, start, startProcess } from "./harness";

const limits = { timeoutMs: 600_000, graceMs: 500, memoryBytes: 2 ** 31 };

describe("a restart of the engine's process", () => {
  let engine: Engine;
  let process: ChildProcess;
  const noteProcess = (message: unknown) => {
    process = (message as { process: ChildProcess }).process;
  };
  beforeAll(async () => {
    subscribe("child_process", noteProcess);
    engine = new Engine(path.join(makeFolder(), "datasets"), limits);
    await engine.open();
  });
  afterAll(async () => {
    unsubscribe("child_process", noteProcess);
    await engine?.close();
  });

  const common = { format: "tabular", profile: "extended", readable: undefined } as const;
  const run = (text: string) => engine.run("apl", { ...common, request: { apl: text }, now: now() });
  const store = (dataset: string, rows: readonly unknown[]) =>
    engine.run("ingest", { dataset, events: { kind: "rows", rows }, write: randomUUID(), now: now() });
  /** Sends a job that is to blame when the process is killed; it has no other end. */
  const isKilled = () => expect(run(endless)).rejects.toThrow("the query was stopped because its process failed");

  test("loses no acknowledged event, and stores none twice", async () => {
    for (const afterMs of [0, 20, 100]) {
      const killed = isKilled();
      const writes = Array.from({ length: 5 }, () => store("web", [{ afterMs }, { afterMs }]));
      await setTimeout(afterMs);
      process.kill("SIGKILL");
      for (const written of await Promise.all(writes)) expect(written).toMatchObject({ ingested: 2, failed: 0 });
      await killed;
    }
    const { tables } = JSON.parse(Buffer.from(await run("['web'] | count")).toString());
    expect(tables[0].columns).toEqual([[30]]);
  });

  test("does not send a job again that cannot be sent", async () => {
    await expect(store("other", [{ a: () => undefined }])).rejects.toThrow("could not be cloned");
    const killed = isKilled();
    process.kill("SIGKILL");
    await killed;
    await expect(store("other", [{ a: 1 }])).resolves.toMatchObject({ ingested: 1 });
  });
});

test("a killed emulator's engine exits during a query, and the next emulator has all events", async () => {
  const dataDir = makeFolder();
  for (let stored = 0; stored < 2; stored += 1) {
    const killed = await startProcess(dataDir);
    expect((await apl(killed, "print 1")).status).toBe(200);
    const asked = apl(killed, endless).catch(() => undefined);
    await setTimeout(300); // until it computes
    await killed.kill();
    await asked;
    await using next = await start({ dataDir });
    await next.ingest("web", [{ stored }]);
    expect(await countOf(next, "web")).toBe(stored + 1);
  }
});
