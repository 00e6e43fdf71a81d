import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "event-datasets-emulator/testing";
import { EventDatasets } from "../../sdk";
import { connect, failure } from "../support/client";

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
