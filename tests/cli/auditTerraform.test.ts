import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { useAuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";

const folder = useAuditFolder();
const fixture = (name: string) => readFile(path.join(__dirname, "../fixtures/terraform", name), "utf8");

async function audit(state: string) {
  await folder.write("infra.tfstate", state);
  await using service = await startService(json(200, JSON.parse(await fixture("live.json"))));
  return await folder.run(["audit", "--terraform-state", "infra.tfstate"], service);
}

test("the tokens of a Terraform state are declared, and the report names its lineage and serial", async () => {
  const { code, stdout, stderr } = await audit(await fixture("terraform.tfstate"));
  expect(code).toBe(0);
  expect(stdout).toContain("is managed by axiom_token.ci (axiom_token, in");
  expect(stdout.replace(/\s+/g, " ")).toContain("lineage 8a96c392-447e-d49f-67f4-8d64cdcdfe25, serial 4), 3 tokens");
  expect(stdout + stderr).not.toContain("xaat-");
});

test.each([
  ["a plan in its own form", "PK\u0003\u0004"],
  ["an encrypted state", '{"encrypted_data":"canary"}'],
  ["an empty state", '{"format_version":"1.0"}'],
])("%s is exit code 2, with the command that helps", async (_, state) => {
  const { code, stdout, stderr } = await audit(state);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("terraform state pull");
  expect(stderr).toContain("tofu show -json");
  expect(stderr).not.toContain("canary");
});
