import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { pipelines, queries } from "./corpus/operators";
import { openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
beforeAll(async () => {
  open = await openTestDatasets();
});
afterAll(() => open[Symbol.asyncDispose]());

describe.each(Object.entries(pipelines))("%s", (_, group) => {
  test.each(group)("%s", async (pipeline, rows) => {
    expect(await open.rows(`logs | ${pipeline}`)).toEqual(rows);
  });
});

test.each(queries)("%s", async (apl, rows) => {
  expect(await open.rows(apl)).toEqual(rows);
});
