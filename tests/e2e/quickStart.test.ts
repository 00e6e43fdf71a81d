import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { linkedNpm, packedInstallation, packedPackage, realNpm } from "../support/packages";
import { startExampleService, typePages } from "../support/pages";
import { CHECKOUT } from "../support/program";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

// A new user's first hour: every line of these pages, typed into an empty folder, with the packages as they are published.
// npm itself installs the packages of the quick start, and the engine compiles its program and checks the types. The same packages
// of the other pages are links to one installation.

let npm: string;
beforeAll(async () => {
  npm = await linkedNpm();
});

const aSecret = /^xaat-[0-9a-f-]{36}$/m;
/** tests/docs/code checks the types of the programs. */
const quick = { PULUMI_OPTION_SKIP_PREVIEW: "true", PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

test("the quick start leads from an empty folder to a token and back, and then to the first deployment at Axiom", async () => {
  await using service = await startExampleService();
  const { npm, env } = await realNpm();
  await using typed = await typePages(["docs/quickStart.md"], {
    npm,
    env: { ...env, EVENT_DATASETS_PROFILE: "extended" }, // as it is at axiom.co
    replace: { "https://api.axiom.co": service.url, "xaat-…": "xaat-local" },
  });
  expect(typed.result.stdout).toMatch(aSecret);
  expect(service.tokens.list()).toHaveLength(1);
});

test("so does the README, with the template", async () => {
  await using typed = await typePages(["README.md"], { npm, env: quick, hooks: "warm host" });
  expect(typed.result.stdout).toMatch(aSecret);
});

test("the page of the emulator starts it with a dataset, and a client reaches it", async () => {
  const replace = {
    "xaat-…": "xaat-local",
    "pulumi up": "npm install pulumi-event-datasets && npx pulumi-event-datasets doctor",
  };
  const prepare = (folder: string) => writeFile(path.join(folder, "events.ndjson"), '{"status":200}\n');
  await using typed = await typePages(["docs/emulator.md"], { npm, replace, prepare });
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

test("the root program, which is the quick start in a checkout, deploys, finds nothing to do then, and comes down", async () => {
  const files = ["index.ts", "Pulumi.yaml"].map(
    async (file) => [file, await readFile(path.join(CHECKOUT, file), "utf8")] as const,
  );
  await using deployment = await createDeployment({
    program: Object.fromEntries(await Promise.all(files)),
    installation: "one link", // as in a checkout
  });
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
