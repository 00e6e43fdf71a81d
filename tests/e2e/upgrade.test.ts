import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { version } from "../../sdk/version";
import { createWorkspace } from "../support/engine";
import { CHECKOUT } from "../support/program";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const fixtures = join(CHECKOUT, "tests/fixtures/state");
const versions = readdirSync(fixtures);

/** As scripts/stateFixture.mjs has it. */
const passphrase = "a passphrase of the fixtures";

test("there is a state of this version for the tests of later versions", () => {
  expect(versions).toContain(`v${version}`);
});

test.each(versions)("the state that %s wrote is taken over without a change, and can be destroyed", async (name) => {
  const folder = join(fixtures, name);
  await using workspace = await createWorkspace({
    program: folder,
    // Nobody listens there: an update without a change sends nothing, and in the documented profile neither does a destroy.
    env: {
      EVENT_DATASETS_BASE_URL: "https://service.invalid",
      EVENT_DATASETS_ACCESS_TOKEN: "xaat-of-nobody",
      PULUMI_CONFIG_PASSPHRASE: passphrase,
    },
  });
  const { deployment } = JSON.parse(readFileSync(join(folder, "stack.json"), "utf8"));
  await workspace.run(["stack", "import", "--file", "stack.json"]);
  const secrets = await workspace.outputs({ showSecrets: true });
  expect(secrets).toMatchObject({
    named: expect.stringMatching(/^xaat-/),
    rotated: expect.stringMatching(/^[0-9a-f]{12}$/),
  });

  await workspace.up({ args: ["--expect-no-changes"] });
  const resources = ({ urn, id, outputs }: Record<string, unknown>) => ({ urn, id, keys: Object.keys(outputs ?? {}) });
  const kept = (await workspace.export()).deployment.resources ?? [];
  expect(kept.map(resources)).toEqual(expect.arrayContaining(deployment.resources.map(resources)));

  const { stdout } = await workspace.destroy();
  for (const logicalName of ["named-", "rotated", "counted-", "made by hand", "elsewhere-"]) {
    expect(stdout).toContain(`API token "${logicalName}`);
  }
  expect((await workspace.export()).deployment.resources ?? []).toEqual([]);
});
