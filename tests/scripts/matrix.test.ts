import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { combinations, compare, formatTable, judge, promises, suitesFor } from "../../scripts/matrix/promises.mjs";
import { tableFile } from "../../scripts/matrix.mjs";

const root = path.resolve(__dirname, "../..");

test("every suite of a promise exists, and the recorded table has each combination with what is promised for it", () => {
  const suites = Object.values(promises).flatMap((promise) => promise.suites);
  expect(suites.filter((suite) => !existsSync(path.join(root, `${suite}.test.ts`)))).toEqual([]);
  const table: Record<string, Record<string, string[]>> = JSON.parse(readFileSync(tableFile(root), "utf8"));
  const recorded = Object.entries(table).map(([combination, outcomes]) => [combination, Object.keys(outcomes)]);
  expect(recorded).toEqual(combinations.map((one) => [one, Object.keys(suitesFor(one))]));
});

test("a promise is not tried with versions that are too old for it", () => {
  const [newest, oldCli, oldSdk] = ["3.276.0/3.276.0", "3.216.0/3.276.0", "3.276.0/3.216.0"].map((one) =>
    Object.keys(suitesFor(one)),
  );
  expect(newest).toEqual(Object.keys(promises));
  expect(newest?.filter((promise) => !oldCli?.includes(promise))).toEqual(["The hook `onError`", "Policy pack"]);
  expect(newest?.filter((promise) => !oldSdk?.includes(promise))).toEqual([
    "The README and the quick start, as typed",
    "The hook `onError`",
  ]);
});

test("a promise is broken by a test that fails, and by a suite that did not run or has no test", () => {
  const suite = (name: string, ...statuses: string[]) => ({
    name: `/copy/tests/${name}.test.ts`,
    assertionResults: statuses.map((status, index) => ({ fullName: `${name} ${index}`, status })),
  });
  const report = { testResults: [suite("a", "passed", "failed"), suite("b", "passed"), suite("c")] };
  const wanted = { broken: ["tests/a", "tests/b"], kept: ["tests/b"], empty: ["tests/c"], missing: ["tests/d"] };
  expect(judge(wanted, report, "/copy")).toEqual({
    broken: ["a 1"],
    kept: [],
    empty: ["tests/c did not run"],
    missing: ["tests/d did not run"],
  });
});

test("an outcome that differs from the table is named, and so is each test that fails with versions that the table does not have", () => {
  const found = { Drift: ["new"], Transforms: [], Import: ["known"] };
  const recorded = { Drift: [], Transforms: ["old"], Import: ["known"] };
  expect(compare("1/2", found, recorded)).toEqual([
    "1/2: Drift: fails: new",
    "1/2: Transforms: passes, and is recorded as failing: old",
  ]);
  expect(compare("1/2", found)).toEqual(["1/2: Drift: fails: new", "1/2: Import: fails: known"]);
});

test("the table has a row for each promise, a dash where a combination is too old, and the tests that fail", () => {
  const head = 2 + Object.keys(promises).length;
  const lines = formatTable({ "3.216.0/3.276.0": { Drift: [], Transforms: ["a"] } }).split("\n");
  expect(lines[0]).toBe("| CLI / SDK | 3.216 / 3.276 |");
  expect(lines).toEqual(
    expect.arrayContaining(["| Drift | yes |", "| Transforms | **no** |", "| The hook `onError` | – |"]),
  );
  expect(lines.slice(head)).toEqual(["", "These tests fail:", "", '- Transforms, 3.216 / 3.276: "a"']);
  expect(formatTable({ "3.216.0/3.276.0": { Drift: [] } }).split("\n")).toHaveLength(head);
});
