import { cp, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { capture } from "../../scripts/steps/run.mjs";
import { createDeployment } from "../support/deployment";
import { npm, packedPackage } from "../support/packages";
import { makeFolder } from "../support/suite";
import { type Combination, combinations, forms, managers, nodes } from "./combinations";

const folder = makeFolder();
// Package managers cache a file by its path, so each run needs another name.
const tarball = path.join(folder, "package.tgz");
beforeAll(async () => cp((await packedPackage()).file, tarball));

/** The caller's environment without the variables that npm sets for its scripts: they change other package managers. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name)));

/** PATH with the combination's package manager and Node.js at its front. npm keeps what it downloads for that. */
async function pathOf({ manager, node }: Combination): Promise<string> {
  const packages = [...managers[manager].packages, ...nodes[node]].map((one) => `--package=${one}`);
  if (packages.length === 0) return process.env.PATH ?? "";
  // The package `node` downloads its binary in a script; the checkout's .npmrc allows none.
  const options = ["--yes", "--prefer-offline", "--ignore-scripts=false", ...packages];
  return (await npm(["exec", ...options, "--call", 'printf %s "$PATH"'], folder)).trim();
}

async function expectDeployed(combination: Combination): Promise<void> {
  const manager: (typeof managers)[keyof typeof managers] & { files?: object } = managers[combination.manager];
  const form: (typeof forms)[keyof typeof forms] & { dependencies?: object } = forms[combination.form];
  const dependencies = {
    "pulumi-event-datasets": `file:${tarball}`,
    "@pulumi/pulumi": combination.sdk,
    ...form.dependencies,
  };
  const manifest = { name: "managers", version: "1.0.0", private: true, ...form.manifest, dependencies };
  const program = { "package.json": JSON.stringify(manifest), ...manager.files, ...form.files };
  const env = { ...environment(), PATH: await pathOf(combination) };
  await using deployment = await createDeployment({ program, hosts: "engine", env: { PATH: env.PATH } });
  const { workspace, service } = deployment;
  const modules = path.join(workspace.program, "node_modules");
  await rm(modules, { recursive: true });
  await mkdir(modules);
  const version = await capture("node", ["--version"], { env });
  expect(`Node.js ${version.slice(1)}`).toContain(`${combination.node}.`);
  const [command = "", ...args] = manager.install;
  await capture(command, args, { cwd: workspace.program, env });
  // As users run it: the update checks the types.
  await workspace.up({ env: { PULUMI_NODEJS_TRANSPILE_ONLY: undefined } });
  await workspace.preview({ args: ["--expect-no-changes"] });
  const [token] = service.tokens.list();
  expect(token?.name).toMatch(/^ci-[0-9a-z]+$/);
  expect(await workspace.outputs()).toEqual({ tokenName: token?.name });
}

/** `npm run managers` tries them all. */
const chosen = process.env.EVENT_DATASETS_EVERY_COMBINATION ? combinations : combinations.slice(0, 1);

// Needs the engine, as what imports support/engine does.
test.each(chosen)("deploys with $manager, $form, SDK $sdk and $node, and then finds nothing to do", expectDeployed);
