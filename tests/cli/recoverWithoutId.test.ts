import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { useAuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";

const folder = useAuditFolder();

const urn = "urn:pulumi:dev::e2e::pulumi-nodejs:event-datasets:ApiToken::lost";
const file = (name: string) => path.join(__dirname, "../fixtures/withoutId", `${name}.json`);

interface Recorded {
  readonly deployment: {
    readonly resources: {
      readonly id?: string;
      readonly inputs?: { readonly name: string; readonly expiresAt?: string };
    }[];
  };
}

/**
 * Diagnoses a state that the engine 3.276.0 wrote, as `state.json`, on a service that has every token of it.
 * @param leftBehind whether the service has the token of the create, too
 */
async function diagnose(state: string, { leftBehind = true, profile = "extended", env = {} } = {}) {
  const { deployment } = JSON.parse(state) as Recorded;
  const list = deployment.resources.flatMap(({ id, inputs }) =>
    inputs && (id !== undefined || leftBehind)
      ? [{ id: id ?? "t9", name: inputs.name, expiresAt: inputs.expiresAt }]
      : [],
  );
  await folder.write("state.json", state);
  await using service = await startService(json(200, list));
  const settings = { EVENT_DATASETS_PROFILE: profile, ...env };
  return await folder.run(["recover", "--state", "state.json"], service, settings);
}

test("a create whose hook never gave up is told in one sentence, and its token is revoked before the repair", async () => {
  const { code, stdout, stderr } = await diagnose(await readFile(file("created"), "utf8"));
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout.split("\n")).toEqual([
    `orphaned: API token "lost-f860182" was created by an update that did not finish, and no stack tracks it; revoke it before you repair the stack; its onError hook never returned false, so no update of the stack can run: pulumi-event-datasets recover prints the commands that repair it`,
    `  # ${urn}, id t9`,
    "  # to fix it: npx pulumi-event-datasets tokens revoke --id t9 --state state.json",
    "to fix all of this",
    "  # before that, let the hook onError return false after a few attempts",
    "  npx pulumi-event-datasets tokens revoke --id t9 --state state.json &&",
    `  pulumi state delete --disable-integrity-checking ${urn} --stack dev &&`,
    "  pulumi refresh --yes --stack dev &&",
    "  pulumi up --stack dev &&",
    "  npx pulumi-event-datasets audit --all-stacks",
    "",
  ]);
});

test.each(["replaced", "deletedFirst"])(
  "where the engine refuses to remove a resource, because others need its URN, the state is edited: %s",
  async (name) => {
    const { code, stdout, stderr } = await diagnose(await readFile(file(name), "utf8"));
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).not.toContain("pulumi state delete");
    expect(stdout.slice(stdout.indexOf("to fix all of this")).split("\n")).toEqual([
      "to fix all of this",
      "  # before that, let the hook onError return false after a few attempts",
      "  npx pulumi-event-datasets tokens revoke --id t9 --state state.json &&",
      "  pulumi stack export --file to-repair.json --stack dev",
      'then remove from "resources" in to-repair.json every entry that has no "id" and one of these URNs',
      `  # ${urn}`,
      "and then",
      "  pulumi stack import --force --file to-repair.json --stack dev &&",
      "  pulumi state repair --yes --stack dev &&",
      "  pulumi refresh --yes --stack dev &&",
      "  pulumi up --stack dev &&",
      "  npx pulumi-event-datasets audit --all-stacks",
      "",
    ]);
  },
);

test("a token that cannot be revoked is named, and the state is repaired after it", async () => {
  const { code, stdout, stderr } = await diagnose(await readFile(file("created"), "utf8"), { profile: "documented" });
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("id t9\n  # this profile cannot revoke it: revoke it at the service");
  expect(stdout).not.toContain("tokens revoke");
  expect(stdout).toContain("  pulumi state delete ");
});

/** A state that proves nothing about the account: the tokens that would prove it are left out, or another Provider's. */
test.each([
  ["where nothing proves the account", "pending", "the default provider of e2e/dev", false],
  ["where another Provider made it", "elsewhere", "Provider production", true],
])(
  "%s, the resource without an id stays: it is the proof, and the settings are named",
  async (_, rule, named, hasTokens) => {
    const state = JSON.parse(await readFile(file("created"), "utf8"));
    const { resources } = state.deployment;
    const provider = "urn:pulumi:dev::e2e::pulumi:providers:pulumi-nodejs::production::0-1";
    state.deployment.resources = hasTokens
      ? resources.map((one: { id?: string }) => (one.id === undefined ? { ...one, provider } : one))
      : resources.filter(({ id }: { id?: string }) => id === undefined);
    const { code, stdout, stderr } = await diagnose(JSON.stringify(state), { leftBehind: false });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(
      RegExp(`^${rule}: The create of .* nothing proves that it belongs .*: run this with the settings of ${named}`),
    );
    expect(stdout).toContain("# once you know what became of its token, remove it from the state: pulumi state delete");
    const commands = stdout.split("\n").filter((line) => /^ {2}(?!#)/.test(line));
    expect(commands).toEqual(["  npx pulumi-event-datasets audit --all-stacks"]);
  },
);

test("a resource of another type keeps the stack from being updated too, and nothing is known about its object", async () => {
  const state = await readFile(file("created"), "utf8");
  const { code, stdout, stderr } = await diagnose(
    state.replaceAll("event-datasets:ApiToken", "event-datasets:Annotation"),
  );
  expect([code, stderr]).toEqual([1, ""]);
  const other = urn.replace("ApiToken", "Annotation");
  expect(stdout).toContain(`the create of ${other} failed`);
  expect(stdout).toContain("  # it may have left an object: look for it before you run the commands below");
  expect(stdout).toContain(`  pulumi state delete --disable-integrity-checking ${other} --stack dev &&\n`);
  expect(stdout).not.toContain("tokens revoke");
});
