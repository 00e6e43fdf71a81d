import { expect, test } from "@jest/globals";
import { fingerprintOf } from "../../values/fingerprint";
import { type FakeStack, fakePulumi, stackOf, useAuditFolder } from "../support/auditFolder";
import { cli } from "../support/cli";

const folder = useAuditFolder();

const secret = "xaat-leaked-0a1b2c3d4e5f";
const signature = "4dabf18193072939515e22adb298388d";
const plaintext = (value: string) => ({
  [signature]: "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});

const holding = (outputs: Record<string, unknown>): FakeStack => ({
  name: "acme/web/prod",
  tokens: [{ id: "t7", name: "deploy", outputs }],
});

async function find(stacks: readonly FakeStack[], stdin = `${secret}\n`) {
  const env = await fakePulumi(folder, { stacks });
  return cli(["tokens", "find"], { cwd: folder.path, env, stdin });
}

test.each([
  ["that is decrypted", { token: plaintext(secret) }],
  ["that is sealed: its fingerprint is recorded", { token: undefined, fingerprint: fingerprintOf(secret) }],
  [
    "beside a member that is called as in a secret",
    { rotation: { triggers: { plaintext: "by hand" } }, token: plaintext(secret) },
  ],
])("names the resource that has a secret %s, and shows the secret nowhere", async (_, outputs) => {
  const { code, stdout, stderr } = await find([stackOf("acme/web/dev", "1"), holding(outputs)]);
  expect([code, stdout]).toEqual([
    0,
    "stack acme/web/prod\n  URN   urn:pulumi:prod::web::pulumi-nodejs:event-datasets:ApiToken::deploy\n  id    t7\n  name  deploy\n",
  ]);
  expect(stdout + stderr).not.toContain("leaked");
  expect(await folder.read("asked")).not.toContain("leaked");
});

test("a secret that no stack has is exit code 1; if a stack cannot be read, it is 2", async () => {
  const other = holding({ token: plaintext("xaat-other") });
  const missed = await find([other]);
  expect([missed.code, missed.stdout]).toEqual([1, ""]);
  expect(missed.stderr).toContain("no stack of https://api.pulumi.example.com/acme has this secret");
  expect(missed.stderr).toContain("other backends (--backend) and Terraform states were not searched");
  const broken = { ...stackOf("acme/web/dev"), broken: "incorrect passphrase" };
  const { code, stderr } = await find([other, broken]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("1 of the stacks could not be read")]);
});

test("names resources of other types that have the secret: another provider's token, a consumer, an output of the stack", async () => {
  const type = "axiom:index/token:Token";
  const urn = `urn:pulumi:prod::web::${type}::ci`;
  const others = [
    { urn, type, custom: true, id: "t8", outputs: { token: plaintext(secret) } },
    { urn: `${urn}2`, type, custom: true, id: "t9", inputs: { headers: [plaintext(`Bearer ${secret}`)] } },
    { urn: `${urn}3`, type, custom: true, id: "t0", outputs: { token: plaintext("xaat-other") } },
  ];
  const { code, stdout, stderr } = await find([{ ...stackOf("acme/web/prod", "1"), others }]);
  const note = "  it is of another type, and its inputs or outputs contain the secret";
  expect([code, stdout.trimEnd().split("\n")]).toEqual([
    0,
    [
      ...["stack acme/web/prod", `  URN   ${urn}`, "  id    t8", note],
      ...["stack acme/web/prod", `  URN   ${urn}2`, "  id    t9", note],
    ],
  ]);
  expect(stdout + stderr).not.toContain("leaked");
});

test("finds a secret that was rotated and may still be valid, by the fingerprint that its successor records", async () => {
  const replaced = [{ id: "t5" }, { id: "t6", ends: "later", fingerprint: fingerprintOf(secret) }];
  const { code, stdout } = await find([holding({ token: plaintext("xaat-new"), record: { replaced } })]);
  expect([code, stdout.split("\n").slice(2, 5)]).toEqual([
    0,
    ["  id    t6", "  name  deploy", "  it was replaced by t7, which has this name, and may still be valid"],
  ]);
});

test.each([`"${secret}"`, ` '${secret}' \n`, `Bearer ${secret}\r\n`, `"bearer  ${secret}"`, `\`${secret}\``])(
  "the secret is found in %j",
  async (input) => expect(await find([holding({ token: plaintext(secret) })], input)).toMatchObject({ code: 0 }),
);

test("an empty input is an error", async () => {
  expect(await find([], ' "" \n')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("standard input has no secret"),
  });
});
