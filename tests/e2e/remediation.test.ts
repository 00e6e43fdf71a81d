import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { forms, inForm, moduleOf } from "../support/forms";
import { writePackStarter } from "../support/policyPack";
import { CHECKOUT } from "../support/program";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

/** A pack that shortens every token that is valid for longer than 30 days. */
const pack = `const { PolicyPack } = require("@pulumi/policy");
new PolicyPack("remediating", {
  policies: [
    {
      name: "short-lived",
      description: "Tokens are valid for 30 days.",
      enforcementLevel: "remediate",
      remediateResource: ({ type, props }) =>
        type.endsWith(":ApiToken") && props.expiresIn !== "30d" ? { ...props, expiresIn: "30d" } : undefined,
    },
  ],
});
`;

let root: string;
let args: string[];
const before = process.env.PATH;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "remediation-"));
  const folder = path.join(root, "pack");
  await mkdir(folder);
  await writeFile(path.join(folder, "index.js"), pack);
  await writeFile(
    path.join(folder, "package.json"),
    '{ "name": "remediating", "version": "1.0.0", "main": "index.js" }',
  );
  await writeFile(path.join(folder, "PulumiPolicy.yaml"), "runtime: script\n");
  await symlink(path.join(CHECKOUT, "node_modules"), path.join(folder, "node_modules"));
  process.env.PATH = [await writePackStarter(root), before].join(path.delimiter);
  args = ["--policy-pack", folder];
});

afterAll(async () => {
  process.env.PATH = before;
  await rm(root, { recursive: true, force: true });
});

describe.each(forms)("in the %s form", (form) => {
  const program = (description: string, expiresIn: string, options = "") =>
    `import { ApiToken } from "${moduleOf(form)}";
new ApiToken("ci", { expiresIn: "${expiresIn}", description: "${description}", orgCapabilities: { apiTokens: ["read"] } }, {${options}});`;

  test("--replace keeps what a policy pack remediated, and a replacement that would lose it is refused before anything is sent", async () => {
    const env = { EVENT_DATASETS_PROFILE: "extended" };
    const options = { program: { "index.ts": program("first", "90d") }, env };
    await using deployment = await createDeployment(
      inForm(form, { ...options, serviceOptions: { profile: "extended" } }),
    );
    const { workspace } = deployment;
    await workspace.up({ args });
    const [first] = deployment.service.tokens.list();
    const { urn } = await deployment.resource("ApiToken", "ci");
    await workspace.up({ args: [...args, "--replace", urn] });
    const replaced = ["POST /v2/tokens 200", "POST /v2/tokens 200", `DELETE /v2/tokens/${first?.id} 204`];
    expect(deployment.writes()).toEqual(replaced);
    const { stdout } = await workspace.up({ args: [...args, "--expect-no-changes"] });
    expect(stdout).toContain("a policy pack changed expiresIn. A replacement will be refused");
    const [second] = deployment.service.tokens.list();

    await workspace.writeFile("index.ts", program("second", "90d", "deleteBeforeReplace: true"));
    const refused = await workspace.preview({ args, expectFailure: true });
    expect(refused.stdout + refused.stderr).toContain(
      "expiresIn was changed by a policy pack, and that change would be lost",
    );
    expect(deployment.writes()).toEqual(replaced);

    await workspace.writeFile("index.ts", program("second", "30d"));
    await workspace.up({ args });
    expect(deployment.writes()).toEqual([...replaced, "POST /v2/tokens 200", `DELETE /v2/tokens/${second?.id} 204`]);
  });
});
