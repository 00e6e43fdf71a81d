import { expect, test } from "@jest/globals";
import { stackOf, useAuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";

const expiresAt = "2999-01-01T00:00:00Z";
const folder = useAuditFolder();

const adopt = ["tokens", "adopt"];
const idsIn = (stdout: string) => stdout.match(/\bid: "\d"/g);

test("tokens that a stack declares or has replaced are left out, and a message names the resource", async () => {
  const [first] = stackOf("acme/web/prod", "1").tokens;
  const record = { replaced: [{ id: "2", ends: "later", until: expiresAt }] };
  const waiting = { id: "3", name: "t3", inputs: { expiresAt }, more: { delete: true } };
  const cli = { stacks: [{ name: "acme/web/prod", tokens: [{ ...first, name: "t1", record }, waiting] }] };
  const { code, stdout, stderr } = await folder.runBeside(cli, ["1", "2", "3", "4"], adopt);
  expect([code, idsIn(stdout)]).toEqual([0, ['id: "4"']]);
  expect(stderr).toContain("left out: 1, which web/prod declares (urn:pulumi:prod::web::");
  expect(stderr).toContain("left out: 2, which 1 of web/prod replaced (urn:pulumi:prod::web::");
  expect(stderr).toContain("left out: 3, which web/prod declares (urn:pulumi:prod::web::");
  expect(await folder.runBeside(cli, ["2"], adopt)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("nothing to adopt: every one of these tokens was left out"),
  });
});

test("without the stacks it prints the tokens of the stacks that it could not read, too, and says so", async () => {
  const { code, stdout, stderr } = await folder.runBeside({ stacks: [], listFails: "no login" }, ["1", "2"], adopt);
  expect([code, idsIn(stdout)]).toEqual([0, ['id: "1"', 'id: "2"']]);
  expect(stderr).toContain("a token that a stack declares that was not read is printed too");
});

test("a token with a field of unknown form is left out; a capability that is not known is declared as it is", async () => {
  const list = [
    { id: "1", name: "t1", expiresAt, orgCapabilities: "all" },
    { id: "2", name: "t2", expiresAt, orgCapabilities: { rbac: ["grant"] } },
  ];
  await using service = await startService(json(200, list));
  const { stdout, stderr } = await folder.run(adopt, service, { EVENT_DATASETS_PROFILE: "extended" });
  expect(idsIn(stdout)).toEqual(['id: "2"']);
  expect(stdout).toContain('"grant"');
  expect(stderr).toContain("left out: 1, which has fields that cannot be read, so no program can declare them: orgCap");
});
