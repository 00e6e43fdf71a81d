import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, CHECKOUT, forms, inForm, writePackStarter } from "../support/program";
import { useWarmHosts } from "../support/warmHosts";
import { liveIds } from "./promises/world";

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

// Each stack has a token in each form. A description is an expression, in which the form is `form`.

const program = (description: string, expiresIn: string, options = "") => `${bothForms}
const orgCapabilities = { apiTokens: ["read"] } as const;
inBothForms((form, { ApiToken }) =>
  new ApiToken(form, { expiresIn: "${expiresIn}", description: ${description}, orgCapabilities }, {${options}}));`;

test("--replace keeps what a policy pack remediated, and a replacement that would lose it is refused before anything is sent", async () => {
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  const options = { program: { "index.ts": program('"first"', "90d") }, env };
  await using deployment = await createDeployment(
    inForm("both", { ...options, serviceOptions: { profile: "extended" } }),
  );
  const { workspace } = deployment;
  const created = Array(2).fill("POST /v2/tokens 200");
  const revoked = (ids: readonly string[]) => ids.map((id) => `DELETE /v2/tokens/${id} 204`);
  /** In both forms the new tokens are created before the old ones are revoked. */
  const expectWrites = (...expected: readonly (readonly string[])[]) => {
    const writes = deployment.writes();
    const parts = expected.map((_, at) => writes.slice(2 * at, 2 * at + 2).sort());
    expect(parts).toEqual(expected.map((part) => [...part].sort()));
    expect(writes).toHaveLength(2 * expected.length);
  };
  await workspace.up({ args });
  const first = liveIds(deployment);
  const urns = await Promise.all(forms.map(async (form) => (await deployment.resource("ApiToken", form)).urn));
  await workspace.up({ args: [...args, ...urns.flatMap((urn) => ["--replace", urn])] });
  const replaced = [created, created, revoked(first)];
  expectWrites(...replaced);
  const { stdout } = await workspace.up({ args: [...args, "--expect-no-changes"] });
  const second = liveIds(deployment);
  for (const id of second)
    expect(stdout).toContain(`ApiToken ${id}: a policy pack changed expiresIn. A replacement will be refused`);

  // The engine stops at the first one.
  for (const form of forms) {
    const description = `form === "${form}" ? "second" : "first"`;
    await workspace.writeFile("index.ts", program(description, "90d", "deleteBeforeReplace: true"));
    const refused = await workspace.preview({ args, expectFailure: true });
    expect(refused.stdout + refused.stderr).toContain(
      "expiresIn was changed by a policy pack, and that change would be lost",
    );
    expectWrites(...replaced);
  }

  await workspace.writeFile("index.ts", program('"second"', "30d"));
  await workspace.up({ args });
  expectWrites(...replaced, created, revoked(second));
});
