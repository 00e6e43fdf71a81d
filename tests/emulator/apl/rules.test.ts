import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { rules, terms } from "./corpus/rules";
import { openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
beforeAll(async () => {
  open = await openTestDatasets();
});
afterAll(() => open[Symbol.asyncDispose]());

describe.each(Object.entries(rules))("%s", (_, conditions) => {
  test.each(conditions)("where %s", async (condition, ids) => {
    expect(await open.column(`odd | where ${condition} | project id | order by id asc`)).toEqual(ids);
  });
});

test.each(terms)("%s", async (condition, result) => {
  expect(await open.column(`print ${condition.replaceAll("''", "\\'")}`)).toEqual([result]);
});
