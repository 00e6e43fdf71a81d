import { expect, test } from "@jest/globals";
import { timeReader } from "../../emulator/apl/load/goTime";

test.each([
  ["2006-01-02T15:04:05Z07:00", "2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"],
  ["2006-01-02T15:04:05.999999999Z07:00", "2024-02-29T23:59:59.125+01:00", "2024-02-29T22:59:59.125Z"],
  ["02/Jan/2006:15:04:05 -0700", "17/May/2015:08:05:32 +0000", "2015-05-17T08:05:32.000Z"],
  ["Mon Jan _2 15:04:05 2006", "Thu May  7 08:05:32 2015", "2015-05-07T08:05:32.000Z"],
  ["Monday, 02-Jan-06 15:04:05 MST", "Thursday, 07-May-15 08:05:32 GMT", "2015-05-07T08:05:32.000Z"],
  ["January 2, 2006 at 3:04pm", "May 7, 2015 at 12:05am", "2015-05-07T00:05:00.000Z"],
  ["3:04 PM 1/2/06", "12:05 PM 5/7/99", "1999-05-07T12:05:00.000Z"],
  ["2006.01.02 (15)", "2015.05.07 (08)", "2015-05-07T08:00:00.000Z"],
  ["2006-01-02", "2024-02-30", undefined],
  ["2006-01-02 15:04", "2024-02-03 24:00", undefined],
  ["15:04:05", "23:59:60", undefined],
  ["2006-01-02", "2024-02-03 ", undefined],
  ["02 Jan 2006", "03 Foo 2024", undefined],
  ["2006", "soon", undefined],
])("%s reads %s as %s", (format, text, instant) => {
  const micros = timeReader(format)(text);
  expect(micros && new Date(Number(micros / 1000n)).toISOString()).toBe(instant);
});
