import { beforeEach, describe, expect, test } from "@jest/globals";
import { exportStack, stackOf, useFolderBesidePulumi } from "../support/auditFolder";

const { current, run } = useFolderBesidePulumi();

const acme = stackOf("acme/web/prod", "1");
const beta = { ...stackOf("beta/web/prod", "2"), broken: "reading beta/web/prod: EOF" };

describe("a state of one organization does not stand for the unreadable stack of another:", () => {
  beforeEach(() => current().write("acme.json", exportStack(acme)));

  test.each([
    ["beside its own stack", [acme, beta]],
    ["alone", [beta]],
  ])("an audit could not tell, %s", async (_, stacks) => {
    const args = ["audit", "--all-stacks", "--state", "acme.json"];
    const { code, stdout, stderr } = await run({ stacks }, ["1"], args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("beta/web/prod");
  });

  test.each([
    ["beside its own stack", [acme, beta]],
    ["alone", [beta]],
  ])("no token that the other may declare is revoked, %s", async (_, stacks) => {
    const args = ["tokens", "revoke", "--id", "2", "--state", "acme.json", "--yes"];
    const { code, deletes } = await run({ stacks }, ["1", "2"], args);
    expect([code, deletes]).toEqual([2, []]);
  });
});

test("the file stands only for the stack that it is named after", async () => {
  await current().write("beta.json", exportStack(beta));
  const cli = { stacks: [acme, beta] };
  const named = ["audit", "--all-stacks", "--state", "beta/web/prod=beta.json"];
  expect((await run(cli, ["1", "2"], named)).code).toBe(0);
  const wrong = await run(cli, ["1", "2"], ["audit", "--all-stacks", "--state", "beta/infra/prod=beta.json"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toContain("beta.json: is the state of web/prod, not of beta/infra/prod");
  const revoke = ["tokens", "revoke", "--id", "2", "--state", "beta/web/prod=beta.json", "--yes"];
  const kept = await run(cli, ["1", "2"], revoke);
  expect([kept.code, kept.deletes]).toEqual([2, []]);
  expect(kept.stderr).toContain("a stack declares 2 (urn:pulumi:prod::web::");
});

describe("a stale state of a stack that can be read", () => {
  const destroyed = stackOf("acme/web/prod", "1", "9");
  beforeEach(() => current().write("stale.json", exportStack(destroyed, "2026-10-01T00:00:00Z")));

  test("is refused", async () => {
    const args = ["audit", "--all-stacks", "--state", "acme/web/prod=stale.json"];
    const { code, stdout, stderr } = await run({ stacks: [acme] }, ["1", "9"], args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("stale.json and stack acme/web/prod are both states of acme/web/prod: leave one of them");
  });

  test("is refused if it does not name its stack", async () => {
    const { code, stderr } = await run(
      { stacks: [acme] },
      ["1", "9"],
      ["audit", "--all-stacks", "--state", "stale.json"],
    );
    expect(code).toBe(2);
    expect(stderr).toContain("stale.json and stack acme/web/prod are both states of acme/web/prod, but nothing tells");
    expect(stderr).toContain("--state ORGANIZATION/PROJECT/STACK=FILE");
  });

  test("protects the tokens in it from being revoked", async () => {
    const args = ["tokens", "revoke", "--id", "9", "--state", "acme/web/prod=stale.json", "--yes"];
    const { code, deletes, stderr } = await run({ stacks: [acme] }, ["1", "9"], args);
    expect([code, deletes]).toEqual([2, []]);
    expect(stderr).toContain("in stale.json");
  });
});

test("files of stacks with one name in two organizations both count", async () => {
  await current().write("a.json", exportStack(acme));
  await current().write("b.json", exportStack(stackOf("acme/web/prod", "9")));
  const states = ["--state", "acme/web/prod=a.json", "--state", "beta/web/prod=b.json", "--output", "json"];
  const { stdout } = await run({ stacks: [] }, ["1", "9"], ["audit", ...states]);
  expect(JSON.parse(stdout).summary).toMatchObject({ live: 2, declared: 2 });
});

test("the URL identifies a stack that a service lists by a short name", async () => {
  const list = [{ name: "prod", url: "https://app.pulumi.example.com/acme/web/prod" }];
  const { code, stdout } = await run({ stacks: [acme], list }, ["1"], ["audit", "--all-stacks", "--output", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).coverage.stacks).toMatchObject([{ organization: "acme", project: "web", stack: "prod" }]);
});

test("a short name without a URL is an error", async () => {
  const { code, stderr } = await run({ stacks: [acme], list: [{ name: "prod" }] }, ["1"], ["audit", "--all-stacks"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("prod does not name its organization and project")]);
});

test("the password of a backend is in no report", async () => {
  const backend = "postgres://pulumi:canary@db.example.com/states?sslmode=canary";
  const stack = { ...acme, name: "organization/web/prod" };
  const args = ["audit", "--all-stacks", "--output", "json"];
  const { stdout, stderr } = await run({ stacks: [stack], backend }, ["1"], args);
  expect(JSON.parse(stdout).coverage.stacks).toMatchObject([{ backend: "postgres://db.example.com/states" }]);
  expect(stdout + stderr).not.toContain("canary");
});
