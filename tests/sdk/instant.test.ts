import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { canonicalInstant, compareInstants } from "../../values/instant";
import { runsOf } from "../fuzz/random";

test.each([
  ["2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
  ["2027-01-01T00:00:00.000Z", "2027-01-01T00:00:00Z"],
  ["2027-01-01T02:30:00+02:30", "2027-01-01T00:00:00Z"],
  ["2027-01-01t00:00:00z", "2027-01-01T00:00:00Z"],
  ["2027-01-01T00:00:00.120Z", "2027-01-01T00:00:00.12Z"],
  ["2027-01-01T00:00:00.000000001Z", "2027-01-01T00:00:00.000000001Z"],
])("%s is the instant %s", (text, canonical) => {
  expect(canonicalInstant(text)).toBe(canonical);
});

test.each([
  "",
  "2027-01-01",
  "2027-01-01T00:00:00",
  "2027-02-29T00:00:00Z",
  "2027-01-01T24:00:00Z",
  "2027-01-01T00:00:00+24:00",
  "2027-01-01T00:00:00.Z",
  "9999-12-31T23:59:59-01:00",
  "0000-01-01T00:00:00+01:00",
])("%j is not a valid timestamp", (text) => {
  expect(canonicalInstant(text)).toBeUndefined();
});

test("instants are ordered by their moments, to the last digit", () => {
  const moment = fc.tuple(
    fc.date({ min: new Date("1971-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
    fc.nat(999),
  );
  fc.assert(
    fc.property(moment, moment, ([a, x], [b, y]) => {
      const spell = (date: Date, nanos: number) =>
        `${date.toISOString().slice(0, -1)}000${String(nanos).padStart(3, "0")}Z`;
      const [left, right] = [canonicalInstant(spell(a, x)) ?? "", canonicalInstant(spell(b, y)) ?? ""];
      const expected = a.getTime() === b.getTime() ? x - y : a.getTime() - b.getTime();
      expect(Math.sign(compareInstants(left, right))).toBe(Math.sign(expected));
    }),
    { numRuns: runsOf(1000) },
  );
});
