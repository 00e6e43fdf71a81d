import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { buildFlags } from "../../../scripts/steps/goBuild.mjs";
import { type CodeBlock, pagesOfSite, readMarkdown } from "../../docs/markdown";
import { CHECKOUT } from "../../support/program";
import { makeFolder } from "../../support/suite";
import { createNativeDeployment, languagePrograms, makeGoModule } from "./workspace";

// The programs of the guides in Python, Go and YAML, as a reader copies them. The reference has its programs from files that
// programs.test.ts deploys.

const run = promisify(execFile);
const guides = pagesOfSite().filter((file) => file !== "docs/reference/resources.md");
const blocksIn = (label: string) =>
  guides.flatMap((file) =>
    readMarkdown(file).blocks.flatMap((block) =>
      block.label === label ? [{ ...block, at: `${file}:${block.line}` }] : [],
    ),
  );
const isTest = ({ code }: CodeBlock) => /^import (unittest|\($\s+"testing")/m.test(code);

let programs: Awaited<ReturnType<typeof languagePrograms>>;
const folder = makeFolder();
beforeAll(async () => {
  programs = await languagePrograms();
});

test("the guides on tokens, rotation, marking, gates and testing have their programs in every language", () => {
  for (const label of ["TypeScript", "Python", "Go", "YAML"]) {
    const pages = new Set(blocksIn(label).map(({ at }) => at.replace(/:\d+$/, "")));
    const missing = ["annotate", "gate", "rotate", "testing", "tokens"].filter(
      (page) => !pages.has(`docs/guides/${page}.md`),
    );
    // A test in TypeScript has the name of its file, and a program in YAML has no mocks.
    expect({ label, missing }).toEqual({ label, missing: ["TypeScript", "YAML"].includes(label) ? ["testing"] : [] });
  }
});

test("every program in Python runs with the SDK", async () => {
  const blocks = blocksIn("Python").filter((block) => !isTest(block));
  const python = join(programs.python, "python3");
  const running = run(python, [join(CHECKOUT, "tests/native/languages/guides/blocks.py")]);
  running.child.stdin?.end(JSON.stringify(Object.fromEntries(blocks.map(({ at, code }) => [at, code]))));
  expect(JSON.parse((await running).stdout)).toEqual([]);
});

test("the test in Python passes beside the program of its guide", async () => {
  const [tokens] = blocksIn("Python").filter(({ at }) => at.startsWith("docs/guides/tokens.md"));
  const [unit, ...others] = blocksIn("Python").filter(isTest);
  expect(others).toEqual([]);
  const cwd = join(folder, "python");
  await mkdir(cwd);
  await writeFile(join(cwd, "tokens.py"), tokens?.code ?? "");
  await writeFile(join(cwd, "test_tokens.py"), unit?.code ?? "");
  const { stderr } = await run(join(programs.python, "python3"), ["-m", "unittest"], { cwd });
  expect(stderr).toMatch(/Ran 1 test[\s\S]*OK/);
});

test("every program in Go compiles, and the test in Go passes", async () => {
  const module = join(folder, "go");
  const blocks = blocksIn("Go");
  const files = blocks.map((block, index) => [`p${index}/main${isTest(block) ? "_test" : ""}.go`, block.code]);
  const github = join(module, "github.com");
  await cp(join(CHECKOUT, "tests/native/languages/guides/github"), join(github, "go/github"), { recursive: true });
  await writeFile(join(github, "go.mod"), "module github.com/pulumi/pulumi-github/sdk/v6\n\ngo 1.24\n");
  const go = await makeGoModule(module, Object.fromEntries(files), github);
  await go(["vet", ...buildFlags(), ...blocks.map((_, index) => `./p${index}`)]);
  const tests = blocks.flatMap((block, index) => (isTest(block) ? [`./p${index}`] : []));
  expect((await go(["test", ...buildFlags(), ...tests])).stdout).toMatch(/^ok /);
});

test("every program in YAML deploys, apart from resources of other packages", async () => {
  const blocks = blocksIn("YAML");
  expect(blocks.length).toBeGreaterThan(3);
  for (const { at, code } of blocks) {
    const own = code.replace(/^ {2}token:\n {4}type: github:[\s\S]*/m, "");
    // The gate would have to hold for three minutes.
    const quick = own.replace("every: 15s", "every: 1s").replace("settle: 3m", "settle: 1s");
    const program = { "Pulumi.yaml": `name: guide\nruntime: yaml\n${quick}` };
    await using deployment = await createNativeDeployment({ program });
    const { workspace, service } = deployment;
    // The events of a dataset that the program does not create itself.
    if (!code.includes("event-datasets:Dataset\n")) await service.ingest("web", [{ ring: "canary", status: 200 }]);
    if (code.includes("image: { type: string }")) await workspace.setConfig("image", "sha256:0a1b2c3d");
    await workspace.up().catch((failure: Error) => {
      throw new Error(`${at}: ${failure.message}`, { cause: failure });
    });
  }
});
