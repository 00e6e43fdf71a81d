import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { installedPackages } from "../support/packed";
import { CHECKOUT } from "../support/program";
import { shareProgramHost } from "../support/programHost";
import { type Registry, startRegistry } from "../support/registry";
import { typePages } from "../support/shellPage";

shareProgramHost();

// A new user's first hour: every line of these pages, typed into an empty folder, with the packages as they are published.

let registry: Registry;
/** A folder that already has the packages: only the first deployment installs all of them, which takes longest. */
let withPackages: string;
beforeAll(async () => {
  registry = await startRegistry();
  withPackages = `npm init --yes && cp -RPpl '${await installedPackages()}' .`;
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
});

test("the first deployment leads from an empty folder to a token and back, and doctor finds no problem", async () => {
  const replace = {
    "https://api.example.com": "http://127.0.0.1:7380",
    "xaat-…": "xaat-local",
    "cd ../from-template\nnpm init --yes": `cd ../from-template\n${withPackages}`,
  };
  await using typed = await typePages(["docs/guides/gettingStarted.md"], { env: registry.env, replace });
  expect(typed.result.stdout).toMatch(/^xaat-[0-9a-f-]{36}$/m);
  expect(typed.result.stdout).toContain("a query works with the profile extended");
});

test("the README leads from an empty folder to a token, and then nothing changes", async () => {
  await using typed = await typePages(["README.md"], {
    env: registry.env,
    replace: { "npm init --yes": withPackages },
    sections: ["First deployment"],
    afterwards: "pulumi up --skip-preview --expect-no-changes\npulumi refresh --skip-preview --expect-no-changes",
  });
  expect(typed.result.stdout).toMatch(/^xaat-[0-9a-f-]{36}$/m);
});

test("the page of the emulator starts it with a dataset, and a client reaches it", async () => {
  const replace = {
    "npm install --save-dev": `${withPackages} && npm install --save-dev`,
    "xaat-…": "xaat-local",
    "pulumi up": "npm install pulumi-event-datasets && npx event-datasets doctor",
  };
  const prepare = (folder: string) => writeFile(path.join(folder, "events.ndjson"), '{"status":200}\n');
  await using typed = await typePages(["docs/emulator.md"], { env: registry.env, replace, prepare });
  expect(typed.result.stdout).toContain("the credential may list tokens");
});

test("the preparations of the examples start the emulator and log in", async () => {
  await using typed = await typePages(["docs/examples.md"], { env: registry.env });
  expect(typed.result.stdout).toContain("Logged in");
});

test("the root program, which is the quick start in a checkout, deploys, finds nothing to do then, and comes down", async () => {
  const files = ["index.ts", "Pulumi.yaml"].map(
    async (file) => [file, await readFile(path.join(CHECKOUT, file), "utf8")] as const,
  );
  await using deployment = await createDeployment({ program: Object.fromEntries(await Promise.all(files)) });
  const { workspace, service } = deployment;
  await workspace.up();
  const { token, ...outputs } = await workspace.outputs({ showSecrets: true });
  const [live] = service.tokens.list();
  const [marker] = service.annotations.list();
  expect(outputs).toEqual({
    tokenId: live?.id,
    tokenName: live?.name,
    tokenNames: [live?.name],
    annotationId: marker?.id,
  });
  expect(marker).toMatchObject({
    datasets: ["deploys"],
    title: "Deployed pulumi-event-datasets to dev",
    type: "deploy",
  });
  expect(await deployment.traces(String(token))).toEqual([]);
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  await workspace.destroy();
  expect(deployment.writes().sort()).toEqual(["POST /v2/annotations 201", "POST /v2/tokens 200"]);
});
