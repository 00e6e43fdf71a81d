import { expect, test } from "@jest/globals";
import { path } from "../../sdk/path";
import type { Call } from "../../sdk/transport";

const body = {};

test("the compiler refuses an unknown body or parameter, and a missing body", () => {
  const creates: Call<"tokens.create", unknown>[] = [
    { path: path`/v2/tokens`, body },
    // @ts-expect-error a create has a body
    { path: path`/v2/tokens` },
    // @ts-expect-error and no query parameters
    { path: path`/v2/tokens`, body, parameters: { nocache: "true" } },
  ];
  const reads: Call<"tokens.get", unknown>[] = [
    { path: path`/v2/tokens/${"t1"}` },
    // @ts-expect-error a read has no body
    { path: path`/v2/tokens/${"t1"}`, body },
  ];
  const queries: Call<"queries.dataset", unknown>[] = [
    { path: path`/v1/datasets/${"web"}/query`, body, parameters: { nocache: "true" } },
    // @ts-expect-error the structured query has no format
    { path: path`/v1/datasets/${"web"}/query`, body, parameters: { format: "tabular" } },
  ];
  expect([creates.length, reads.length, queries.length]).toEqual([3, 2, 2]);
});
