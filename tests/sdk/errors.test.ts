import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import { PartialCreate } from "../../framework/lifecycle";
import { isApiError } from "../../sdk";
import { connect, failure, refusedUrl } from "../support/client";
import { json, startService } from "../support/service";

const canary = "xaat-canary-of-an-answer-81c2";
/** Everything that a log, a terminal or the engine could show of an error. */
const shownOf = (error: Error): string[] => [
  inspect(error, { depth: 20, showHidden: true }),
  String(error.stack),
  JSON.stringify(error),
  JSON.stringify(Object.values(Object.getOwnPropertyDescriptors(error))),
];

test("an error keeps the name and the code of its cause, but not the cause itself", async () => {
  const error = await failure(connect(refusedUrl).tokens.create({ name: "ci" }));
  expect(error.cause).toEqual({ name: expect.any(String), code: "ECONNREFUSED" });
  expect(Object.keys(error.cause ?? {})).toEqual(["name", "code"]);
});

test("no error shows the request", async () => {
  await using service = await startService(json(400, { message: "no" }));
  const error = await failure(connect(service.url).tokens.create({ name: "ci", description: canary }));
  for (const text of shownOf(error)) expect(text).not.toContain(canary);
});

test("a body that cannot be written as JSON is refused before any request, without quoting it", async () => {
  await using service = await startService(json(200, {}));
  const circle: Record<string, unknown> = { [canary]: 1 };
  circle[canary] = circle;
  const call = connect(service.url).tokens.create({ name: "ci", datasetCapabilities: circle as never });
  const error = await call.catch((e: Error) => e);
  expect(isApiError(error)).toBe(false);
  for (const text of shownOf(error as Error)) expect(text).not.toContain(canary);
  expect(service.calls).toEqual([]);
});

test("the error of an incomplete create does not show its inputs", () => {
  const error = new PartialCreate("it exists", "t1", { description: canary });
  expect(error.state).toEqual({ description: canary });
  for (const text of shownOf(error)) expect(text).not.toContain(canary);
});
