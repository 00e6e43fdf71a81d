import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "event-datasets-emulator/testing";
import { EventDatasets } from "../../sdk";
import { connect, failure } from "../support/client";
import { CHECKOUT } from "../support/program";

const foldersOfEmulators = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`event-datasets-testing-${process.pid}-`));

test("an emulator serves a test, and leaves nothing behind", async () => {
  const before = await foldersOfEmulators();
  let stopped: Emulator;
  {
    await using emulator = await startEmulator({ profile: "extended" });
    const { baseUrl, accessToken, profile } = emulator;
    stopped = emulator;
    await using client = new EventDatasets({ baseUrl, accessToken, profile });
    const { id } = await client.tokens.create({ name: "ci" });
    expect(emulator.tokens.list()).toMatchObject([{ id, name: "ci" }]);
    await client.tokens.delete(id);
    expect(emulator.tokens.list()).toEqual([]);
    expect(emulator.calls.map(({ method, status }) => `${method} ${status}`)).toEqual(["POST 200", "DELETE 204"]);
    expect(emulator.env).toEqual({
      EVENT_DATASETS_BASE_URL: baseUrl,
      EVENT_DATASETS_ACCESS_TOKEN: accessToken,
      EVENT_DATASETS_PROFILE: "extended",
    });
  }
  // Another process may have got its port: then the call reaches that one.
  const { baseUrl, accessToken, calls } = stopped;
  await failure(connect(baseUrl, { accessToken }).tokens.list());
  expect(calls).toHaveLength(2);
  expect(await foldersOfEmulators()).toEqual(before);
});

test("its datasets can be asked; each emulator has its own, and stopping twice is no error", async () => {
  const events = [1, 2, 3].map((n) => ({ _time: "2030-01-01T00:00:00Z", n }));
  const [one, other] = [await startEmulator({ datasets: { web: events } }), await startEmulator()];
  const client = new EventDatasets({ baseUrl: one.baseUrl, accessToken: one.accessToken });
  const answer = await client.queries.apl({
    apl: "['web'] | summarize count()",
    startTime: "2030-01-01T00:00:00Z",
    endTime: "2030-01-02T00:00:00Z",
  });
  expect(answer.buckets.totals[0]?.aggregations[0]?.value).toBe(3);
  await client.close();
  expect([one.baseUrl === other.baseUrl, other.tokens.list()]).toEqual([false, []]);
  for (const emulator of [one, other, one]) await emulator.stop();
});

test("a dataset that cannot be taken in is an error, and leaves nothing behind", async () => {
  const before = await foldersOfEmulators();
  await expect(startEmulator({ datasets: { web: [{ _time: "no time" }] } })).rejects.toThrow("_time");
  expect(await foldersOfEmulators()).toEqual(before);
});

/** A unit test of a user, with mocks and with an emulator, for the runner of Node.js. */
const unitTest = `
import assert from "node:assert/strict";
import test from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, getTokens } from "pulumi-event-datasets";
import { EventDatasets } from "pulumi-event-datasets/sdk";
import { startEmulator } from "event-datasets-emulator/testing";

await pulumi.runtime.setMocks({
  newResource: ({ name, inputs }) => ({ id: name + "-id", state: inputs }),
  call: () => ({ tokens: [{ id: "t1", name: "mocked" }] }),
});

test("mocks answer", async () => {
  new ApiToken("ci", { expiresAt: "2030-01-01T00:00:00Z" });
  assert.deepEqual(await getTokens(), { tokens: [{ id: "t1", name: "mocked" }] });
});

test("the emulator answers", async () => {
  const emulator = await startEmulator();
  const client = new EventDatasets({ baseUrl: emulator.baseUrl, accessToken: emulator.accessToken });
  await client.tokens.create({ name: "ci" });
  assert.deepEqual((await client.tokens.list()).map(({ name }) => name), ["ci"]);
  await client.close();
  await emulator.stop();
});
`;

test("both ways work with the test runner of Node.js, from an ES module", async () => {
  const folder = await mkdtemp(join(CHECKOUT, "node_modules", ".unit-test-"));
  try {
    const file = join(folder, "program.test.mjs");
    await writeFile(file, unitTest);
    const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap", file], {
      cwd: CHECKOUT,
      // jest sets it, and a runner within a runner reports otherwise
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: "" },
    });
    expect(stdout).toMatch(/# pass 2[\s\S]*# fail 0/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
