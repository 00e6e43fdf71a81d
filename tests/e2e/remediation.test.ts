import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, CHECKOUT, forms, inForm, writeInto, writePackProgram } from "../support/program";
import { liveIds } from "./promises/world";

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

const manifest = '{ "name": "remediating", "version": "1.0.0", "main": "index.js" }';

const program = (description: string) => `${bothForms}
inBothForms((form, { ApiToken }) => new ApiToken(form, { expiresIn: "90d", description: "${description}" }));`;

test("--replace keeps what a policy pack remediated, and a replacement that would lose it is refused before anything is sent", async () => {
  const options = { program: { "index.ts": program("first") }, profile: "extended" } as const;
  await using deployment = await createDeployment(inForm("both", options));
  const { workspace } = deployment;
  const folder = path.join(workspace.root, "pack");
  const files = { "index.js": pack, "package.json": manifest, "PulumiPolicy.yaml": "runtime: nodejs\n" };
  for (const [name, content] of Object.entries(files)) await writeInto(folder, name, content);
  await symlink(path.join(CHECKOUT, "node_modules"), path.join(folder, "node_modules"));
  const policies = ["--policy-pack", await writePackProgram(folder)];
  const up = (...args: string[]) => workspace.up({ args: [...policies, ...args] });

  await up();
  const first = liveIds(deployment);
  const urns = await Promise.all(forms.map(async (form) => (await deployment.resource("ApiToken", form)).urn));
  await up(...urns.flatMap((urn) => ["--replace", urn]));
  const writes = deployment.writes();
  expect(writes.slice(0, 4)).toEqual(Array(4).fill("POST /v2/tokens 200"));
  expect(writes.slice(4).sort()).toEqual(first.map((id) => `DELETE /v2/tokens/${id} 204`).sort());
  const { stdout } = await up("--expect-no-changes");
  for (const id of liveIds(deployment))
    expect(stdout).toContain(`ApiToken ${id}: a policy pack changed expiresIn. A replacement will be refused`);

  await workspace.writeFile("index.ts", program("second"));
  const refused = await workspace.preview({ args: policies, expectFailure: true });
  const reason = "expiresIn was changed by a policy pack, and that change would be lost";
  expect(refused.stdout + refused.stderr).toContain(reason);
  expect(deployment.writes()).toEqual(writes);
});
