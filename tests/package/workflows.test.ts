import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { CHECKOUT } from "../support/program";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly permissions: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >;
}

const read = (file: string) => readFileSync(path.join(CHECKOUT, file), "utf8");
const { scripts } = JSON.parse(read("package.json"));

// Not run here: what can be known of it without running it.
test("the release workflow tests before it publishes, with provenance, and with no more rights than that takes", () => {
  const text = read(".github/workflows/release.yml");
  const workflow: Workflow = parse(text);
  expect(workflow.on.push.tags).toEqual(["v*"]);
  expect(workflow.permissions).toEqual({ contents: "read" });
  const { publish, site } = workflow.jobs;
  expect(publish?.permissions).toEqual({ contents: "read", "id-token": "write" });
  const commands = publish?.steps.map(({ run }) => run).filter((run) => run !== undefined) ?? [];
  expect(commands).toEqual([
    "npm ci",
    ".ci/run",
    "node scripts/release.mjs",
    "npm publish --provenance --access public",
  ]);
  const steps = [...(publish?.steps ?? []), ...(site?.steps ?? [])];
  expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !/^actions\/[\w-]+@v\d+$/.test(uses))).toEqual([]);
  const scriptsRun = steps.flatMap(({ run }) => run?.match(/^npm run ([\w-]+)/)?.[1] ?? []);
  expect(scriptsRun.filter((name) => !(name in scripts))).toEqual([]);
  // A value of the event put into a command could become a part of it.
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  expect(text.match(/secrets\.\w+/g)).toEqual(["secrets.NPM_TOKEN"]);
});
