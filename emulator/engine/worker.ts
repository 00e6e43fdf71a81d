import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker as Thread } from "node:worker_threads";
import { type Datasets, openDatasets, timeReader } from "../apl";
import { defined } from "../apl/defined";
import { isQueryError, QueryError } from "../apl/errors";
import type { Profile } from "../profiles";
import { packFailure } from "./failure";
import type { FromWorker, Job, Jobs, ToWorker } from "./jobs";
import { readEvents } from "./readEvents";
import { brokenError, explainJobFailure, isBroken, openError } from "./stopErrors";
import { Turns } from "./turns";

/** A larger result is refused, because the emulator's process has to hold it. */
const maxResultBytes = 128 * 1024 * 1024;

/** How long the engine of a killed emulator may take to exit. */
const longestOverlapMs = 3_000;

const turns = new Turns();
const writes = new Turns();
const cancels = new Map<number, AbortController>();
let datasets: Datasets | undefined;
let isEnding = false;

/** Resolves when the message was handed to the operating system, so it survives this process. */
const send = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

process.on("message", (message: ToWorker) => {
  switch (message.kind) {
    case "open":
      void open(message.dir);
      break;
    case "job":
      void carryOut(message.id, message.job);
      break;
    case "cancel":
      cancels.get(message.id)?.abort();
      break;
    case "close":
      void close();
  }
});
// Only the owner may read the files that the database writes.
process.umask(0o077);
// Only the emulator's process stops this one. Acknowledged writes are on disk.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
new Thread(path.join(__dirname, "watchdog.js"), {
  workerData: { parent: process.ppid, memoryBytes: Number(process.argv[2]) },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
}).unref();

async function open(dir: string): Promise<void> {
  try {
    datasets = await openOnceFree(dir);
    // Of a query whose process was killed: events in plain text. The database makes the folder again when it needs it.
    await rm(path.join(dir, "datasets.duckdb.tmp"), { recursive: true, force: true });
    await send({ kind: "names", names: datasets.names() });
    await send({ kind: "opened" });
  } catch (failure) {
    await send({ kind: "refused", failure: packFailure(openError(failure)) });
  }
}

/** Retries, because the engine of a killed emulator may still hold the files for a moment. The folder itself is locked. */
async function openOnceFree(dir: string): Promise<Datasets> {
  const until = performance.now() + longestOverlapMs;
  for (;;) {
    try {
      return await openDatasets({ dir });
    } catch (failure) {
      const isLocked = isQueryError(failure) && /\block\b/i.test(failure.reason);
      if (!isLocked || performance.now() > until) throw failure;
      await sleep(50);
    }
  }
}

async function close(): Promise<void> {
  await datasets?.close();
  process.exit(0);
}

async function carryOut(id: number, job: Job): Promise<void> {
  const cancel = new AbortController();
  cancels.set(id, cancel);
  try {
    if (!datasets) throw new Error("the datasets are not open");
    if (job.name === "apl" || job.name === "legacy")
      await send({ kind: "done", id, output: await runQuery(datasets, id, job, cancel.signal) });
    else if (job.name === "measure") await send({ kind: "done", id, output: await datasets.measure() });
    else await write(datasets, id, job, cancel.signal);
  } catch (failure) {
    if (isEnding) return;
    if (isBroken(failure)) {
      isEnding = true;
      await send({ kind: "broken", id, failure: packFailure(brokenError(job, failure)) });
      process.kill(process.pid, "SIGKILL");
    }
    await send({ kind: "failed", id, failure: packFailure(explainJobFailure(job, failure)) });
  } finally {
    cancels.delete(id);
  }
}

async function runQuery(
  engine: Datasets,
  id: number,
  job: Extract<Job, { readonly name: "apl" | "legacy" }>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { now, readable } = job.input;
  const options = {
    now,
    signal,
    mayRead: readable && ((name: string) => readable.includes(name)),
    turn: () => turns.take((state) => send({ kind: state === "begins" ? "computes" : state, id })),
  };
  const { input } = job;
  const result =
    "dataset" in input
      ? await engine.legacy(input.dataset, input.request, options)
      : selectMembers(await engine.apl(input.request, { ...options, format: input.format }), input.profile);
  const json = Buffer.from(JSON.stringify(result));
  if (json.length > maxResultBytes)
    throw new QueryError("limit", `the result is larger than ${maxResultBytes / 1024 / 1024} MiB`);
  return json;
}

function selectMembers(result: Awaited<ReturnType<Datasets["apl"]>>, profile: Profile): unknown {
  if (profile === "extended") return result;
  const { format, ...documented } = result;
  return documented;
}

type Write = Exclude<Job, { readonly name: "apl" | "legacy" | "measure" }>;

/** Runs one write at a time. The next one starts after the result of this one was sent. */
async function write(engine: Datasets, id: number, job: Write, signal: AbortSignal): Promise<void> {
  using _turn = await writes.take((kind) => send({ kind, id }));
  const known = engine.names().length;
  const output = await carryOutWrite(engine, job, signal);
  if (engine.names().length !== known) await send({ kind: "names", names: engine.names() });
  await send({ kind: "done", id, output });
}

async function carryOutWrite(
  engine: Datasets,
  job: Write,
  signal: AbortSignal,
): Promise<Jobs[Write["name"]]["output"]> {
  switch (job.name) {
    case "load":
      return await engine.load(job.input.dataset, job.input.files, defined(job.input));
    case "ingest":
      return await ingest(engine, job.input, signal);
    case "create":
      await engine.create(job.input.dataset, job.input.now);
      return undefined;
    case "remove":
      await engine.remove(job.input.dataset, job.input.before);
      return undefined;
  }
}

async function ingest(
  engine: Datasets,
  { dataset, events, timeFormat, ...input }: Jobs["ingest"]["input"],
  signal: AbortSignal,
) {
  const parseTime = timeFormat === undefined ? undefined : timeReader(timeFormat);
  return engine.ingest(dataset, await readEvents(events), defined({ ...input, signal, parseTime }));
}
