import { expect, test } from "@jest/globals";
import { installedWith } from "../../scripts/steps/sbom.mjs";

test("a package needs the copy in its own folder first, then the one above", () => {
  const locked = {
    "node_modules/a": { dependencies: { b: "^1", c: "^1" } },
    "node_modules/b": { version: "2.0.0" },
    "node_modules/a/node_modules/b": { version: "1.0.0", dependencies: { c: "^1" } },
    "node_modules/c": { version: "1.0.0" },
    "node_modules/unused": { version: "1.0.0" },
  };
  expect(Object.fromEntries(installedWith(locked, ["a"]))).toEqual({
    "node_modules/a": ["node_modules/a/node_modules/b", "node_modules/c"],
    "node_modules/a/node_modules/b": ["node_modules/c"],
    "node_modules/c": [],
  });
});

test("a lockfile that lacks a package is an error that names it", () => {
  const locked = { "node_modules/a": { dependencies: { b: "^1" } } };
  expect(() => installedWith(locked, ["a"])).toThrow("package-lock.json lacks b, which node_modules/a needs");
});
