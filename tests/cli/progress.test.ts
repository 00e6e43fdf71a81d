import { expect, jest, test } from "@jest/globals";
import type { Io } from "../../cli/command";
import { query } from "../../cli/query";
import { listTokens } from "../../cli/tokens/list";
import { aplAnswer } from "../support/queryAnswers";
import { json, startService } from "../support/service";
import { stopTime } from "../support/suite";
import { fakeIo, valuesOf } from "./fakeIo";

stopTime();

const asJson = valuesOf("tokens list", "--output", "json");

test.each([
  ["list of tokens", (io: Io) => listTokens.run(asJson, io, undefined), [], "waiting for GET /v2/tokens"],
  [
    "query",
    (io: Io) => query.run({ ...valuesOf("query"), ...asJson }, io, "web"),
    { ...aplAnswer, status: {} },
    "querying http://127.0.0.1:",
  ],
])("a %s that takes long says on a terminal what it waits for, and clears the line", async (_, run, answer, words) => {
  await using service = await startService((...args) => {
    jest.advanceTimersByTime(1300); // longer than the half second before anything is shown
    return json(200, answer)(...args);
  });
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "t" };
  const { io, progress } = fakeIo(env);
  await run(io);
  expect(progress[0]).toContain(`⠋ ${words}`);
  expect(progress.at(-2)).toMatch(/\([1-9]\d* s\)$/);
  expect(progress.at(-1)).toBe("");
});
