import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { linkedNpm, packedInstallation, packedPackage, realNpm } from "../support/packages";
import { CHECKOUT } from "../support/program";
import { startExampleService, typePages } from "./pages";

// A new user's first hour: every line of these pages, typed into an empty folder, with the packages as they are published.
// npm itself installs the packages of the quick start. The same packages of the other pages are links to one installation.

let npm: string;
beforeAll(async () => {
  npm = await linkedNpm();
});

const aSecret = /^xaat-[0-9a-f-]{36}$/m;
/** tests/docs/code checks the types of the programs. */
const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
const quick = { PULUMI_OPTION_SKIP_PREVIEW: "true", ...transpileOnly };

test("the quick start leads from an empty folder to a token and back, and then to the first deployment at Axiom", async () => {
  await using service = await startExampleService();
  const { npm, env } = await realNpm();
  await using typed = await typePages(["docs/quickStart.md"], {
    npm,
    env: { ...env, ...transpileOnly, EVENT_DATASETS_PROFILE: "extended" }, // as it is at axiom.co
    hosts: "engine",
    replace: { "https://api.axiom.co": service.url, "xaat-…": "xaat-local" },
  });
  expect(typed.result.stdout).toMatch(aSecret);
  expect(service.tokens.list()).toHaveLength(1);
});

test("so does the README, with the template", async () => {
  const afterwards = "git init --quiet; git status --short";
  await using typed = await typePages(["README.md"], { npm, env: quick, afterwards });
  expect(typed.result.stdout).toMatch(aSecret);
  const [, untracked] = typed.result.stdout.split("has been removed!");
  expect(untracked).toContain("?? index.ts");
  expect(untracked).not.toMatch(/node_modules|event-datasets/);
});

test("the page of the emulator starts it with a dataset, and a client reaches it", async () => {
  const replace = {
    "xaat-…": "xaat-local",
    "pulumi up": "npm install pulumi-event-datasets && npx pulumi-event-datasets doctor",
  };
  await using typed = await typePages(["docs/emulator.md"], { npm, replace });
  expect(typed.result.stdout).toContain("the access token may list tokens");
});

test("the preparations of the examples start the emulator and log in", async () => {
  const emulator = path.join(await packedInstallation(), "node_modules/event-datasets-emulator/dist/main.js");
  const { file } = await packedPackage();
  const replace = {
    "npx --yes event-datasets-emulator": `node '${emulator}'`,
    "npm pack --silent pulumi-event-datasets": `npm pack --silent '${file}'`,
  };
  await using typed = await typePages(["examples/README.md"], { replace });
  expect(typed.result.stdout).toContain("Logged in");
});

test("the root program, which `npm run demo` deploys, declares a token and marks the deployment", async () => {
  const [program, project] = await Promise.all(
    ["index.ts", "Pulumi.yaml"].map((file) => readFile(path.join(CHECKOUT, file), "utf8")),
  );
  const files = { "index.ts": String(program), "Pulumi.yaml": String(project) };
  await using deployment = await createDeployment({ program: files });
  const { workspace, service } = deployment;
  await workspace.up();
  const [live] = service.tokens.list();
  const [marker] = service.annotations.list();
  const { token: _, ...outputs } = await workspace.outputs();
  expect(outputs).toEqual({
    tokenId: live?.id,
    tokenName: live?.name,
    tokenNames: [live?.name],
    annotationId: marker?.id,
  });
  expect(marker).toMatchObject({ datasets: ["deploys"], title: "Deployed pulumi-event-datasets to dev" });
});
