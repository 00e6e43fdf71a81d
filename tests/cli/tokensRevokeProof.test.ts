import { rm } from "node:fs/promises";
import os from "node:os";
import { describe, expect, test } from "@jest/globals";
import { exportStack, type FakeCli, fakePulumi, idle, stackOf, useAuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";
import { encrypted } from "../support/states";
import {
  acme,
  confirmRevocation,
  expiresAt,
  extended,
  killed,
  name,
  orphan,
  plain,
  prod,
  revokeFrom,
} from "./revocations";

const folder = useAuditFolder();

const revokeOrphan = (cli: FakeCli, ...args: string[]) =>
  revokeFrom(folder, cli, [orphan], ["--id", "9", "--yes", ...args], confirmRevocation);

describe("the token of a create that never finished", () => {
  test("is proven to be lost, and revoked without --force, also if another stack cannot be read", async () => {
    const ended = await revokeOrphan({ stacks: [killed, { ...stackOf("acme/web/dev"), broken: "EOF" }] });
    expect(ended).toMatchObject({ code: 0, stdout: "revoked 9\n", deletes: ["DELETE /v2/tokens/9"] });
    expect(ended.stderr).toMatch(/9 {2}"ci-0a1b2c3" stays valid until 2999.*: no capabilities\n.* can be revoked:/);
  });

  const listing = (more: object) => ({ stacks: [killed], list: [{ name: prod, ...idle, ...more }] });
  const adopting = (adopt: object) => ({
    stacks: [killed, { name: "acme/web/dev", pending: [{ name: "new", inputs: { adopt } }] }],
  });
  test.each<[string, FakeCli, string]>([
    [
      "whose stack is being updated",
      listing({ updateInProgress: true, lastUpdate: undefined }),
      "stack web/prod, which has an unfinished create of a token with this name, is being updated",
    ],
    [
      "of a backend that does not tell",
      listing({ updateInProgress: undefined }),
      "may be in the middle of an update: stack acme",
    ],
    [
      "with a name that the program chose",
      { stacks: [{ ...killed, pending: [{ name }] }] },
      "it may have been created by a stack in another backend",
    ],
    ["which another stack is adopting", adopting({ id: "9" }), "an adoption of it did not finish: urn:pulumi:dev::web"],
    ["if a stack is adopting a token with an encrypted id", adopting(encrypted), "an adoption of it did not finish"],
  ])("is not proven to be lost %s", async (_, cli, reason) => {
    const ended = await revokeOrphan(cli);
    expect(ended).toMatchObject({ code: 2, deletes: [], stderr: expect.stringContaining(reason) });
    expect(await revokeOrphan(cli, "--force")).toMatchObject({ code: 0 });
  });

  test("is not proven to be lost by the file of a state", async () => {
    await folder.write("prod.json", exportStack(killed));
    const ended = await revokeOrphan({ stacks: [acme] }, "--state", "acme/web/prod=prod.json");
    expect(ended).toMatchObject({ code: 2, deletes: [] });
    expect(ended.stderr).toContain("may be in the middle of an update: prod.json does not show");
  });

  test("is not proven to be lost if another live token has its name, or the engine writes no checkpoints", async () => {
    const cli = { stacks: [killed] };
    const two = await revokeFrom(folder, cli, [orphan, { ...orphan, id: "8" }], ["--id", "9", "--yes"]);
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining("2 live tokens have its name")]);
    await using service = await startService(json(200, [orphan]));
    const env = { ...(await fakePulumi(folder, cli)), ...extended, PULUMI_SKIP_CHECKPOINTS: "true" };
    const skipped = await folder.run(["tokens", "revoke", "--id", "9", "--yes"], service, env);
    expect([skipped.code, skipped.stderr]).toEqual([2, expect.stringContaining("a pending create proves nothing")]);
  });
});

describe("the locks of a backend on disk:", () => {
  const since = "2026-11-21T12:00:00.123Z";
  const lockOf = (pid: number, time: string) => ({ pid, username: "u", hostname: os.hostname(), timestamp: time });
  /** A process that has ended: no process has a number as high. */
  const gone = 2 ** 30;
  test.each<[string, object | string | undefined, string | undefined]>([
    ["without one, no update is running", undefined, undefined],
    ["of a running update", lockOf(process.pid, new Date().toISOString()), "is being updated since 20"],
    ["an hour old", lockOf(process.pid, since), `is locked since ${since}; if no update is running, run pulumi cancel`],
    ["of an ended process", lockOf(gone, new Date().toISOString()), "if no update is running, run pulumi cancel"],
    ["that is being written", "", "is being updated"],
    ["that cannot be read", "{", "may be in the middle of an update: stack organization/web/prod does not show"],
  ])("%s", async (_, lock, reason) => {
    const own = "organization/web/prod";
    const lockFile = `.pulumi/locks/${own}/0a1b.json`;
    await folder.write(".pulumi/meta.yaml", "version: 1\n");
    if (lock !== undefined) await folder.write(lockFile, lock);
    const list = [{ name: own, current: false, lastUpdate: since }];
    const cli = { stacks: [{ ...killed, name: own }], list, backend: `file://${folder.path}` };
    const ended = await revokeOrphan(cli);
    if (reason === undefined) return expect(ended).toMatchObject({ code: 0, deletes: ["DELETE /v2/tokens/9"] });
    expect(ended).toMatchObject({ code: 2, deletes: [], stderr: expect.stringContaining(reason) });
    await rm(`${folder.path}/${lockFile}`);
    expect(await revokeOrphan(cli)).toMatchObject({ code: 0 });
  });

  test("are looked for in the home folder of the user, as the engine does, whatever HOME says", async () => {
    const own = "organization/web/prod";
    const cli = {
      stacks: [{ ...killed, name: own }],
      list: [{ name: own, lastUpdate: since }],
      backend: "file://~/no-backend",
    };
    await using service = await startService(json(200, [orphan]), json(200, [orphan]), confirmRevocation);
    await folder.write("no-backend/.pulumi/locks/other", "");
    const env = { ...(await fakePulumi(folder, cli)), ...extended, HOME: folder.path };
    const ended = await folder.run(["tokens", "revoke", "--id", "9", "--yes"], service, env);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`stack ${own} does not show`)]);
  });

  test("a folder that is not that of a backend tells nothing", async () => {
    const cli = { stacks: [{ ...killed, name: "organization/web/prod" }], backend: `file://${folder.path}` };
    expect((await revokeOrphan(cli)).stderr).toContain("stack organization/web/prod does not show");
  });
});

test("--dry-run prints the verdict for each token, and revokes nothing", async () => {
  const cli = { stacks: [acme, { ...killed, name: "acme/web/dev" }] };
  const live = [orphan, plain("1"), plain("2")];
  const dry = (...ids: string[]) => revokeFrom(folder, cli, live, ["--dry-run", ...ids.flatMap((id) => ["--id", id])]);
  expect(await dry("9")).toMatchObject({
    code: 0,
    stdout: `9  "${name}" stays valid until ${expiresAt}: no capabilities\n  can be revoked:\n  - its create never finished, so nobody has its secret\n`,
    deletes: [],
  });
  const { code, stdout, deletes } = await dry("1", "2", "9");
  const verdicts = stdout.split("\n").filter((line) => /^(?:\d| {2}[^ -])/.test(line));
  expect(verdicts.map((line) => line.trim().split(/ {2}|,|:/)[0])).toEqual([
    ...["1", "is not revoked", "2", "may be in use", "9", "can be revoked"],
  ]);
  expect([code, deletes]).toEqual([1, []]);
});
