import { expect, jest, test } from "@jest/globals";
import type { Io } from "../../cli/command";
import { listTokens } from "../../cli/tokens/list";
import { json, startService } from "../support/service";
import { stopTime } from "../support/time";

stopTime();

test("a command that waits for the service says so on a terminal, and clears the line", async () => {
  const shown: string[] = [];
  const printed: string[] = [];
  await using service = await startService((...args) => {
    jest.advanceTimersByTime(900); // longer than the half second before anything is shown
    return json(200, [{ id: "t1", name: "a" }])(...args);
  });
  const io: Io = {
    print: (line) => void printed.push(line),
    warn: () => undefined,
    env: { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "t" },
    readInput: async () => "",
    columns: 80,
    colours: false,
    canPrint: () => true,
    flush: async () => undefined,
    progress: (text) => void shown.push(text),
    stopped: async () => undefined,
  };
  await listTokens.run({ output: "json" }, io, undefined);
  expect(printed).toHaveLength(1);
  expect(shown[0]).toMatch(/^. waiting for GET \/v2\/tokens \(\d+ s\)$/);
  expect(shown.at(-1)).toBe("");
});
