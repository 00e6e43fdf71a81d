import { expect, test } from "@jest/globals";
import { path } from "../../sdk/path";

test("an id becomes one encoded segment", () => {
  expect(path`/v2/tokens/${"a b?c#d"}`).toBe("/v2/tokens/a%20b%3Fc%23d");
  expect(path`/v2/tokens`).toBe("/v2/tokens");
});

test.each(["", ".", "..", "%2e", "%2E%2e", "a/b", "a%2fb", "a\\b", "a%5Cb", "a\r\nb", "a%0d", "\u007f"])(
  "the id %j is refused, for it would reach another path",
  (id) => {
    expect(() => path`/v2/tokens/${id}`).toThrow(RangeError);
  },
);
