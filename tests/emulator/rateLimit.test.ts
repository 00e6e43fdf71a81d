import { expect, test } from "@jest/globals";
import { call, start } from "./harness";

const midnight = Date.parse("2026-01-01T00:00:00Z");
test.each(["extended", "documented"] as const)(
  "each window accepts the full number, and responses tell it: %s",
  async (profile) => {
    let now = new Date(midnight);
    await using emulator = await start({ profile, now: () => now, rateLimit: { requests: 2 } });
    const told = [];
    for (const second of [50, 58, 59, 60, 61, 62, 119]) {
      now = new Date(midnight + second * 1000);
      const { status, headers } = await call(emulator.url, "GET /v2/tokens");
      const reset = Number(headers["x-ratelimit-reset"]) - midnight / 1000;
      told.push([status, headers["x-ratelimit-remaining"], reset, headers["retry-after"]]);
    }
    const [first = [], second = []] = [60, 120].map((reset) => [
      [200, "1", reset, undefined],
      [200, "0", reset, undefined],
      [429, "0", reset, undefined],
    ]);
    expect(told).toEqual([...first, ...second, second[2]]);
  },
);

test("the documented profile has no limit of its own", async () => {
  await using emulator = await start();
  const { headers } = await call(emulator.url, "GET /v2/tokens");
  expect(Object.keys(headers).filter((name) => name.startsWith("x-"))).toEqual([]);
});
