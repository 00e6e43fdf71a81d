import { expect, test } from "@jest/globals";
import { cli } from "../support/cli";
import { type ScriptedService, startService } from "../support/service";

const silent = () => undefined;

const run = ({ url }: ScriptedService, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  cli(["query", "web", ...args], {
    env: { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-1", ...env },
  });

test.each<[string, string[], NodeJS.ProcessEnv]>([
  ["the option", ["--timeout", "1"], { EVENT_DATASETS_QUERY_DEADLINE: "2m" }],
  ["the setting", [], { EVENT_DATASETS_QUERY_DEADLINE: "1s" }],
])("a query takes no longer than %s allows", async (_, args, env) => {
  await using service = await startService(silent);
  const { code, stderr } = await run(service, args, env);
  expect(code).toBe(2);
  expect(stderr).toContain("no complete response within 1 s");
});

test.each(["0", "3601", "1.5"])("--timeout %s is refused before any request", async (timeout) => {
  await using service = await startService(silent);
  const { code, stderr } = await run(service, ["--timeout", timeout]);
  expect(code).toBe(2);
  expect(stderr).toContain("--timeout: must be a whole number of seconds from 1 to 3600");
  expect(service.calls).toEqual([]);
});
