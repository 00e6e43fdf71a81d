import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { readMarkdown } from "../../docs/markdown";
import { createDeployment, type Deployment } from "../../support/deployment";
import { packedPackage } from "../../support/packages";
import { CHECKOUT } from "../../support/program";
import { releaseFiles } from "./releaseFiles";
import { languagePrograms } from "./workspace";

const run = promisify(execFile);
const page = readMarkdown("docs/guides/languages.md");
const [install = "", add = "", elsewhere = "", importToken = "", offline = "", python = ""] = page.blocks
  .filter(({ language }) => language === "sh")
  .map(({ code }) => code);
const program = readFileSync(path.join(CHECKOUT, "examples/languages/yaml/Pulumi.yaml"), "utf8");

/**
 * The plugin needs no peer of the package, and 220 packages take 20 CPU s to install: tests/package/install has them, and checks
 * that their versions agree. What the Python
 * SDK depends on is installed once, for all suites.
 */
const withoutDependencies = {
  npm_config_legacy_peer_deps: "true",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  PIP_NO_DEPS: "1",
};

/** Runs commands as the page prints them, in an empty folder. The packed package stands in for the one of the registry. */
async function startShell({ workspace }: Deployment) {
  const { file } = await packedPackage();
  const cwd = path.join(workspace.root, "page");
  await mkdir(cwd);
  await writeFile(path.join(cwd, "Pulumi.yaml"), program);
  const npm = `npm() { command npm "\${@/pulumi-event-datasets@1.0.0/${file}}"; }`;
  // npm and pip need the user's settings, such as the address of a registry.
  const env = { ...process.env, ...workspace.environment(), HOME: process.env.HOME, ...withoutDependencies };
  return {
    cwd,
    run: async (commands: string) => {
      const { stdout, stderr } = await run("bash", ["--norc", "-euo", "pipefail", "-c", `${npm}\n${commands}`], {
        cwd,
        env,
      });
      return stdout + stderr;
    },
  };
}

test("the page has the commands that these tests run, and no others", () => {
  expect(
    [install, add, elsewhere, importToken, offline, python].map((code) => code.split(/[\s\\]+/).slice(0, 2)),
  ).toEqual([
    ["npm", "install"],
    ["pulumi", "package"],
    ["npm", "ci"],
    ["pulumi", "import"],
    ["sha256sum", "--check"],
    ["venv/bin/pip", "install"],
  ]);
  expect(page.blocks.filter(({ language }) => language === "sh")).toHaveLength(6);
});

test("a user with only the package follows the page in YAML, and a second machine installs the same", async () => {
  await using deployment = await createDeployment({ program: {} });
  const shell = await startShell(deployment);
  await shell.run(install);
  await shell.run(add);
  expect(await readFile(path.join(shell.cwd, "Pulumi.yaml"), "utf8")).toContain("event-datasets: event-datasets@1.0.0");
  await shell.run("pulumi stack init dev --non-interactive && pulumi up --yes --skip-preview");
  expect(deployment.service.tokens.list()).toHaveLength(1);

  await shell.run("rm -rf node_modules && pulumi plugin rm resource event-datasets --yes");
  await shell.run(`${elsewhere}\npulumi preview --expect-no-changes`);

  const [token] = deployment.service.tokens.list();
  const imported = importToken.replace("tok_0123456789", token?.id ?? "").replace(" ci ", " again ");
  expect(await shell.run(`${imported} --yes --skip-preview`)).toContain("type: event-datasets:ApiToken");
});

test("without a registry, the files of a release are enough", async () => {
  await using deployment = await createDeployment({ program: {} });
  const shell = await startShell(deployment);
  await cp(await releaseFiles(), shell.cwd, { recursive: true });
  expect(await shell.run(offline)).toContain("pulumi-resource-event-datasets-v1.0.0-linux-amd64.tar.gz: OK");
  const token = "pulumi stack output token --show-secrets";
  await shell.run("pulumi stack init dev --non-interactive && pulumi up --yes --skip-preview");
  expect((await shell.run(token)).trim()).not.toBe("");
});

test("a virtual environment takes the Python SDK of a release", async () => {
  await using deployment = await createDeployment({ program: {} });
  const shell = await startShell(deployment);
  await cp(await releaseFiles(), shell.cwd, { recursive: true });
  const { python: installed } = await languagePrograms();
  await shell.run("python3 -m venv --without-pip venv");
  // To give the environment a pip of its own takes longer than all the rest.
  const pip = `#!/bin/sh\nexec '${installed}/python3' -m pip --python "$(dirname "$0")/python3" "$@"\n`;
  await writeFile(path.join(shell.cwd, "venv/bin/pip"), pip, { mode: 0o755 });
  await shell.run(python);
  const modules = await sitePackages(path.join(shell.cwd, "venv"));
  const dependencies = await sitePackages(path.dirname(installed));
  // Such a folder comes last: the SDK itself is the one of the release.
  await writeFile(path.join(modules, "dependencies.pth"), dependencies);
  const program =
    "import pulumi_event_datasets as sdk; print(sdk.__file__, sdk.ApiToken.__name__, sdk.get_token.__name__)";
  const printed = await shell.run(`venv/bin/python3 -c '${program}'`);
  expect(printed.trim()).toBe(`${modules}/pulumi_event_datasets/__init__.py ApiToken get_token`);
});

/** The folder with the packages of a virtual environment. */
async function sitePackages(environment: string): Promise<string> {
  const libraries = path.join(environment, "lib");
  const [version = ""] = await readdir(libraries);
  return path.join(libraries, version, "site-packages");
}
