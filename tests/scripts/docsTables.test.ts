import path from "node:path";
import { expect, test } from "@jest/globals";
import { referencePages } from "../../scripts/docs/tables.mjs";

const root = path.resolve(__dirname, "../..");

test("the tables of the reference pages say what the docstrings say; npm run docs writes them", async () => {
  const pages = await referencePages(root);
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.filter(({ written, wanted }) => written !== wanted).map(({ file }) => file)).toEqual([]);
});
