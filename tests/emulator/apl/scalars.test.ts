import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { expressions } from "./corpus/scalars";
import { openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
beforeAll(async () => {
  open = await openTestDatasets({});
});
afterAll(() => open[Symbol.asyncDispose]());

describe.each(Object.entries(expressions))("%s", (_, group) => {
  test.each(group)("%s", async (expression, value) => {
    expect(await open.column(`print ${expression}`)).toEqual([value]);
  });
});
