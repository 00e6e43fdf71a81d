import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, readlink, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { AuditFolder } from "../support/auditFolder";
import { builtCli } from "../support/build";
import { start } from "../support/command";
import { json, type ScriptedService, startService } from "../support/service";

let folder: AuditFolder;
let backend: string;

beforeEach(async () => {
  folder = await AuditFolder.create();
  backend = `file://${folder.path}/backend`;
});

afterEach(() => folder[Symbol.asyncDispose]());

const recover = (service: ScriptedService, ...args: readonly string[]) => folder.run(["recover", ...args], service);

/** The endings of checkpoints, and how the engine packs each of them. */
const packers: readonly (readonly [string, (text: string) => Buffer])[] = [
  [".json", Buffer.from],
  [".json.gz", gzipSync],
  [".json.zst", zstdCompressSync],
];

describe.each(packers)("for states in prod%s", (ending, pack) => {
  const stacks = "backend/.pulumi/stacks/stacks";
  const whole = (age: string) => pack(JSON.stringify({ version: 3, age }));
  const cut = whole("cut").subarray(0, 14);

  test("shows the damage of a backend's folder, and --apply runs the non-destructive fixes", async () => {
    await using service = await startService(json(200, []));
    const [attributes, cutOff] = [
      await folder.write(`${stacks}/prod${ending}.attrs`, ""),
      await folder.write(`${stacks}/prod${ending}`, cut),
    ];
    await folder.write(`${stacks}/prod${ending}.bak`, whole("before"));
    const shown = await recover(service, "--backend", backend, "--stack", "prod");
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(
      /prod\.json\S* is truncated: its \.bak has the previous state\n {2}# an audit will report .*\n {2}cp .*\n.*attrs is empty.*\n {2}rm .*\n/,
    );
    expect(await readFile(cutOff)).toEqual(cut);

    const applied = await recover(service, "--backend", backend, "--stack", "prod", "--apply", "--state", "state.json");
    expect(applied.stdout.match(/ {2}# done: /g)).toHaveLength(2);
    expect(await readFile(cutOff)).toEqual(whole("before"));
    expect(await readFile(`${cutOff}.broken`)).toEqual(cut);
    expect(await readdir(path.dirname(cutOff))).not.toContain(path.basename(attributes));
  });

  test("each truncated state that is replaced is kept", async () => {
    await using service = await startService(json(200, []));
    await folder.write(`${stacks}/prod${ending}.bak`, whole("before"));
    const apply = () => recover(service, "--backend", backend, "--stack", "prod", "--apply", "--state", "state.json");
    const cutOff = await folder.write(`${stacks}/prod${ending}`, cut);
    await apply();
    await folder.write(`${stacks}/prod${ending}`, cut.subarray(0, 9));
    const { stdout } = await recover(service, "--backend", backend, "--stack", "prod");
    expect(stdout).toContain(`cp ${cutOff} ${cutOff}.broken.2 && cp ${cutOff}.bak `);
    await apply();
    expect(await readFile(cutOff)).toEqual(whole("before"));
    expect(await readFile(`${cutOff}.broken`)).toEqual(cut);
    expect(await readFile(`${cutOff}.broken.2`)).toEqual(cut.subarray(0, 9));
  });

  test("a truncated state with a truncated backup is replaced with the newest complete one", async () => {
    await using service = await startService(json(200, []));
    const cutOff = await folder.write(`${stacks}/prod${ending}`, cut);
    await folder.write(`${stacks}/prod${ending}.bak`, "");
    const apply = () => {
      return recover(service, "--backend", backend, "--stack", "prod", "--state", "state.json", "--apply");
    };
    const none = await apply();
    expect(none.stdout).toMatch(/is truncated, and so is its \.bak\n {2}# restore it from your own backup\n/);
    expect(await readFile(cutOff)).toEqual(cut);

    const kept = "backend/.pulumi";
    await folder.write(`${kept}/backups/stacks/prod/prod.1795308578915995691${ending}`, whole("older"));
    // Not the greatest as text: its number is one digit shorter.
    await folder.write(`${kept}/history/stacks/prod/prod-995308578915995691.checkpoint${ending}`, whole("oldest"));
    await folder.write(`${kept}/history/stacks/prod/prod-1795308578915995692.checkpoint${ending}`, whole("newest"));
    await folder.write(`${kept}/history/stacks/prod/prod-1795308578915995693.checkpoint${ending}`, cut);
    await folder.write(`${kept}/history/web/other/other-1795308578915995699.checkpoint${ending}`, whole("other"));
    const mended = await apply();
    expect(mended.stdout).toContain("the backend kept the state of an earlier update\n  # done: cp ");
    expect(mended.stdout).toContain('\n  # an audit will report the tokens created since then as "undeclared"\n');
    expect(mended.stdout).not.toContain("no problems found");
    expect(await readFile(cutOff)).toEqual(whole("newest"));
  });
});

test("the engine keeps a state under its present ending, whatever the content: both are read", async () => {
  await using service = await startService(json(200, []));
  const cutOff = await folder.write("backend/.pulumi/stacks/web/prod.json", '{"version":');
  // The engine copied a compressed state after the compression was switched off.
  const kept = gzipSync('{"version":3}');
  await folder.write("backend/.pulumi/history/web/prod/prod-1795308578915995692.checkpoint.json", kept);
  await recover(service, "--backend", backend, "--stack", "prod", "--state", "state.json", "--apply");
  expect(await readFile(cutOff)).toEqual(kept);
});

test("a state that cannot be read is not taken for a truncated one, and is not replaced", async () => {
  await using service = await startService(json(200, []));
  const backup = await folder.write("backend/.pulumi/stacks/web/prod.json.bak", { version: 3 });
  const state = path.join(path.dirname(backup), "prod.json");
  await symlink(state, state); // whoever runs this may read every file
  const { code, stdout } = await recover(service, "--backend", backend, "--state", "state.json", "--apply");
  expect(code).toBe(1);
  expect(stdout).toContain(`${state}: cannot be read (ELOOP)\n  # make it readable for this user: it may be whole\n`);
  expect(stdout).not.toContain("truncated");
  expect(await readlink(state)).toBe(state);
});

test("a .bak that cannot be read is not passed over for an older state", async () => {
  await using service = await startService(json(200, []));
  const state = await folder.write("backend/.pulumi/stacks/web/prod.json", '{"version":');
  await symlink(`${state}.bak`, `${state}.bak`);
  await folder.write("backend/.pulumi/backups/web/prod/prod.1.json", { version: 3 });
  const { code, stdout } = await recover(service, "--backend", backend, "--state", "state.json", "--apply");
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /prod\.json is truncated, and \S+prod\.json\.bak: cannot be read \(ELOOP\)\n {2}# make it readable/,
  );
  expect(await readFile(state, "utf8")).toBe('{"version":');
});

test("a restore that fails on a full disk leaves the state as it is", async () => {
  const state = await folder.write("backend/.pulumi/stacks/web/prod.json", '{"version":');
  await folder.write("backend/.pulumi/stacks/web/prod.json.bak", { version: 3, filler: "x".repeat(8_192) });
  const args = ["recover", "--backend", backend, "--state", "state.json", "--apply"];
  // No file may grow beyond 1 KiB.
  const limited = ["-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "bash", process.execPath, builtCli(), ...args];
  const { done } = await start("bash", limited, { cwd: folder.path, env: { PATH: process.env.PATH } });
  const { code, stderr } = await done;
  expect([code, stderr]).toEqual([2, expect.stringContaining("EFBIG")]);
  expect(await readFile(state, "utf8")).toBe('{"version":');
});

test("a long path is printed completely, and one with invisible characters is quoted for a shell", async () => {
  await using service = await startService(json(200, []));
  const parts = ["x".repeat(200), "y".repeat(200), "it's \u202e\u001b[2J", "z".repeat(150)];
  const stacks = path.join("b", ...parts, ".pulumi/stacks/web");
  await mkdir(path.join(folder.path, stacks), { recursive: true });
  const attributes = await folder.write(path.join(stacks, "prod.json.attrs"), "");
  const backend = `file://${path.join(folder.path, "b", ...parts)}`;
  const { stdout } = await recover(service, "--backend", backend, "--stack", "prod");
  const [, command = ""] = /^ {2}(rm .*)$/m.exec(stdout) ?? [];
  const { stdout: named } = await promisify(execFile)("bash", ["-c", command.replace(/^rm/, "printf %s")]);
  expect(named).toBe(attributes);
});

describe("on a backend that several projects share", () => {
  beforeEach(async () => {
    await folder.write("infra/Pulumi.yaml", "# stacks\nname: infra\nruntime: nodejs\n");
    for (const project of ["infra", "web"]) {
      await folder.write(`backend/.pulumi/stacks/${project}/prod.json`, '{"version":');
      await folder.write(`backend/.pulumi/stacks/${project}/prod.eu.json`, '{"version":');
    }
  });

  const diagnose = async (...args: readonly string[]) => {
    await using service = await startService(json(200, []));
    const { stdout, stderr } = await recover(service, "--backend", backend, ...args);
    return { found: stdout.match(/^\S+(?= is truncated)/gm), stderr };
  };

  test.each([["prod"], ["organization/prod"]])("the stack %s is the one of the project in the folder", async (name) => {
    const { found, stderr } = await diagnose("--cwd", "infra", "--stack", name);
    expect(found).toEqual([".pulumi/stacks/infra/prod.json"]);
    expect(stderr).toContain("left out: organization/web/prod has problems too");
    expect(stderr).not.toContain("prod.eu");
  });

  test("a fully qualified name is used unchanged", async () => {
    const { found, stderr } = await diagnose("--cwd", "infra", "--stack", "organization/web/prod");
    expect(found).toEqual([".pulumi/stacks/web/prod.json"]);
    expect(stderr).toContain("left out: organization/infra/prod has problems too");
  });

  test("without a name, every stack of the project is diagnosed", async () => {
    const { found, stderr } = await diagnose("--cwd", "infra");
    expect(found).toEqual([".pulumi/stacks/infra/prod.eu.json", ".pulumi/stacks/infra/prod.json"]);
    expect(stderr.match(/left out: .*(?= has)/g)).toEqual([
      "left out: organization/web/prod.eu",
      "left out: organization/web/prod",
    ]);
  });

  test("without a project, the stack of each project is diagnosed", async () => {
    const { found, stderr } = await diagnose("--stack", "prod");
    expect(found).toEqual([".pulumi/stacks/infra/prod.json", ".pulumi/stacks/web/prod.json"]);
    expect(stderr).not.toContain("left out");
  });
});

test("a folder above the backend with the name of a stack does not select that stack", async () => {
  await using service = await startService(json(200, []));
  await folder.write("prod/.pulumi/stacks/web/dev.json", '{"version":');
  const { stdout } = await recover(service, "--backend", `file://${folder.path}/prod`, "--stack", "prod");
  expect(stdout).not.toContain("truncated");
});
