import { expect, test } from "@jest/globals";
import { expiryTime, isSameExpiry, mayExpireLater, readExpiry } from "../../values/expiry";

const at = (text: unknown) => expiryTime(readExpiry(text));

test.each<[unknown, number | undefined]>([
  [undefined, Number.POSITIVE_INFINITY],
  ["", Number.POSITIVE_INFINITY],
  ["0001-01-01T00:00:00Z", Number.POSITIVE_INFINITY],
  ["0001-01-01T05:30:00+05:30", Number.POSITIVE_INFINITY],
  ["2027-01-31T12:00:00.25+01:00", Date.UTC(2027, 0, 31, 11, 0, 0, 250)],
  ["2016-12-31T23:59:60Z", Date.UTC(2017, 0, 1)],
  ["9999-12-31T23:59:59-05:00", Date.UTC(9999, 11, 31, 28, 59, 59)],
  ["2027-02-30T00:00:00Z", undefined],
  ["2027-01-31T24:00:00Z", undefined],
  ["2027-01-31T00:00:00", undefined],
  ["never", undefined],
])("an expiry of %j ends at %s", (text, end) => {
  expect(at(text)).toBe(end);
});

test("expiries are ordered to the last digit: no expiry is the latest, and an unreadable one has no order", () => {
  const ordered = [
    "2027-01-31T12:00:00Z",
    "2027-01-31T12:00:00.0001Z",
    "2027-01-31T12:00:00.00011Z",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-05:00",
    "",
  ].map(readExpiry);
  for (const [n, earlier] of ordered.entries()) {
    for (const [m, later] of ordered.entries()) expect(mayExpireLater(later, earlier)).toBe(m > n);
    expect(mayExpireLater(readExpiry("never"), earlier)).toBe(earlier.kind !== "never");
  }
  expect(mayExpireLater(readExpiry("never"), readExpiry("never"))).toBe(false);
  expect(isSameExpiry(readExpiry("2027-01-31T12:00:00.50Z"), readExpiry("2027-01-31T13:00:00.5+01:00"))).toBe(true);
});
