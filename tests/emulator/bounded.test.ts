import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { openForTests } from "../support/suite";
import { apl, call, endless, events, mintedWith, type Received, start, type TestEmulator } from "./harness";

/** A job that is not endless takes milliseconds, so that only an endless one reaches this limit on a busy machine, too. */
const timeout = { queryTimeoutMs: 3_000 };

/** Asks over and over whether anybody is there, until it is told to stop. */
async function whileAsking<T>(emulator: TestEmulator, work: Promise<T>): Promise<T> {
  const stopped = new AbortController();
  const asked = (async () => {
    let answers = 0;
    while (!stopped.signal.aborted) {
      for (const line of ["GET /health", "GET /v2/tokens", "GET /_page/state"])
        expect((await call(emulator.url, line)).status).toBe(200);
      answers += 1;
      await setTimeout(20);
    }
    return answers;
  })();
  const result = await work.finally(() => stopped.abort());
  expect(await asked).toBeGreaterThan(0);
  return result;
}

const emulator = openForTests(() => start({ profile: "extended", ...timeout }));
/** With the default limit: for work that ends, however slow the machine is. */
const patient = openForTests(() => start({ profile: "extended" }));
beforeAll(async () => {
  for (const one of [emulator, patient]) await one.ingest("web", events);
});

const query = (text: string, asked = emulator): Promise<Received> =>
  call(asked.url, "POST /v1/datasets/_apl?format=tabular", { body: { apl: text } });

const message = "the query was stopped because it took longer than 3 s (--query-timeout)";
const limit = { code: 422, message };

test("no time format can make other requests wait", async () => {
  const formats = fc.tuple(fc.constantFrom("1", "2", "3", "4", "5"), fc.integer({ min: 20, max: 60 }));
  for (const [part, times] of fc.sample(formats, 20)) {
    const line = `POST /v1/datasets/web/ingest?timestamp-format=${part.repeat(times)}X`;
    const answer = await call(patient.url, line, { body: [{ _time: "1".repeat(times + 15) }] });
    expect({ line, ...answer }).toMatchObject({ status: 200, body: { failed: 1 } });
    expect((await call(patient.url, "GET /health", { token: null })).status).toBe(200);
  }
});

test("an endless query is stopped at its limit; meanwhile and afterwards all other requests work", async () => {
  const hostile = query(endless);
  const others = ["['web'] | count", "['web'] | extend h = hash(method) | count"].map((text) => query(text));
  const body = [{ a: 1 }, { a: 1 }];
  const writes = Array.from({ length: 5 }, () => call(emulator.url, "POST /v1/datasets/new/ingest", { body }));
  expect(await whileAsking(emulator, hostile)).toMatchObject({ status: 422, body: limit });
  for (const { body } of await Promise.all(others)) expect(body.tables[0].columns).toEqual([[3]]);
  for (const written of await Promise.all(writes))
    expect(written).toMatchObject({ status: 200, body: { ingested: 2, failed: 0 } });
  expect((await query("['new'] | count")).body.tables[0].columns).toEqual([[10]]);
});

test("a body without the right to store it is refused before it is read", async () => {
  const token = await mintedWith(emulator.url, {}, { datasetCapabilities: { other: { ingest: ["create"] } } });
  // Had the emulator waited for the body, it would still wait.
  const sent = { "content-type": "application/x-ndjson", "content-length": "60000000" };
  const headers = { ...sent, authorization: `Bearer ${token}` };
  const outgoing = request(emulator.url, { method: "POST", path: "/v1/datasets/web/ingest", headers });
  outgoing.flushHeaders();
  const [response] = await once(outgoing, "response");
  expect(response.statusCode).toBe(403);
  outgoing.destroy();
});

test("a query that the database itself can interrupt is stopped without a restart", async () => {
  // On a busy machine the interruption takes its time. Only a query that cannot be interrupted would wait for this.
  await using own = await start({ profile: "extended", ...timeout, queryGraceMs: 24 * 3_600_000 });
  await own.ingest("web", events);
  let started = 0;
  const count = () => {
    started += 1;
  };
  subscribe("child_process", count);
  const rows = "range a from 1 to 1000000 step 1 | extend k = 1";
  const { status, body } = await whileAsking(own, query(`${rows} | join (${rows}) on k | count`, own));
  expect({ status, body }).toMatchObject({ status: 422, body: limit });
  expect((await query("['web'] | count", own)).status).toBe(200);
  unsubscribe("child_process", count);
  expect(started).toBe(0);
});

test("a query that uses more memory than the database may is stopped as one that exceeds a limit", async () => {
  const list = "split(strrep(strrep('1,',1024),1024), ',')";
  const long = "unicode_codepoints_from_string(strrep(strrep('b',1024),64))";
  const { status, body } = await query(`print x = ${list} | mv-expand x | extend a = ${long}`, patient);
  const message = "the query was stopped because the database took more than 700 MB of memory";
  expect({ status, body }).toMatchObject({ status: 422, body: { message } });
  expect((await query("['web'] | count", patient)).status).toBe(200);
});

test("a query that uses too much memory is stopped, and the next one works", async () => {
  await using small = await start({ queryMemoryBytes: 250 * 1024 * 1024 });
  await small.ingest("web", events);
  // A list for each of many rows. It grows so slowly that the process is looked at before the database's own limit.
  const text =
    "print x = split(strrep(strrep('1,',1024),64), ',') | mv-expand x | extend a = unicode_codepoints_from_string(strcat(x, strrep('b',1024)))";
  const { status, body } = await apl(small, text);
  expect({ status, message: body.message }).toMatchObject({
    status: 422,
    message: expect.stringMatching(/^the query was stopped because (it took more than 250 MiB|its process failed)/),
  });
  expect((await apl(small, "['web'] | count")).status).toBe(200);
});
