import { expect, test } from "@jest/globals";
import { ServiceClock } from "../../sdk/clock";
import { connect } from "../support/client";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { stopTime } from "../support/suite";

stopTime();

const hour = 3_600_000;

/** Responds with the time of a clock that is ahead. */
const ahead =
  (ms: number): Behaviour =>
  (response, request, socket) =>
    json(200, [], { date: new Date(Date.now() + ms).toUTCString() })(response, request, socket);

/** The header has whole seconds. */
const seconds = (ms: number | undefined): number => Math.round((ms ?? Number.NaN) / 1000);

test("until a response states the time, the service's clock equals this machine's", () => {
  const clock = new ServiceClock(() => 1_800_000_000_000);
  clock.note(undefined, performance.now());
  expect(clock.offset()).toBeUndefined();
  expect(clock.now()).toEqual(new Date(1_800_000_000_000));
});

test("the newest response decides how far the service's clock is ahead or behind", async () => {
  await using service = await startService(ahead(hour), ahead(-hour), hangUp);
  const client = connect(service.url);
  await client.tokens.list();
  expect(Math.abs(seconds(client.clock.offset()) - 3600)).toBeLessThanOrEqual(1);
  expect(Math.abs(seconds(client.clock.now().getTime() - Date.now()) - 3600)).toBeLessThanOrEqual(1);
  await client.tokens.list();
  expect(Math.abs(seconds(client.clock.offset()) + 3600)).toBeLessThanOrEqual(1);
  await expect(client.tokens.list()).rejects.toThrow();
  expect(Math.abs(seconds(client.clock.offset()) + 3600)).toBeLessThanOrEqual(1);
  // The clock sent no request: two lists, and one with two retries.
  expect(service.calls).toHaveLength(5);
});

test("setting this machine's clock changes the offset, but not the time of the service", () => {
  let local = 1_800_000_000_000;
  const clock = new ServiceClock(() => local);
  clock.note(new Date(local).toUTCString(), performance.now());
  const before = clock.now().getTime();
  expect(seconds(clock.offset())).toBeLessThanOrEqual(1);
  local += hour;
  expect(Math.abs(seconds(clock.offset()) + 3600)).toBeLessThanOrEqual(1);
  expect(seconds(clock.now().getTime() - before)).toBe(0);
});

test("an invalid date is ignored", () => {
  const clock = new ServiceClock(() => 1_800_000_000_000);
  const now = performance.now();
  clock.note(new Date(1_800_000_000_000 + hour).toUTCString(), now);
  clock.note("soon", now + 1);
  clock.note(undefined, now + 1);
  expect(Math.abs(seconds(clock.offset()) - 3600)).toBeLessThanOrEqual(1);
});

test("a response from a cache tells no time: it has an Age, or a time that stands still for more than two seconds", () => {
  const clock = new ServiceClock(() => 1_800_000_000_000);
  const [now, stored] = [performance.now(), new Date(1_799_913_600_000).toUTCString()];
  clock.note(stored, now, "86400");
  expect([clock.offset(), clock.readings]).toEqual([undefined, 0]);
  clock.note(stored, now);
  clock.note(stored, now + 1_900);
  expect(clock.offset()).toBeDefined();
  clock.note(stored, now + 2_100);
  expect(clock.offset()).toBeUndefined();
  clock.note(new Date(1_800_000_000_000).toUTCString(), now + 3_000);
  expect(clock.offset()).toBeDefined();
});
