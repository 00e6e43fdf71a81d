import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { open } from "../../cli/open";
import { readRecipients } from "../../provider/seal/recipients";
import { sealText } from "../../provider/seal/seal";
import { cli } from "../support/cli";
import { boxKey } from "../support/sealing";

const secret = "xaat-canary-0123456789abcdef";
let folder: string;
let sealed: string;
let privateKey: string;
let identity: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "open-"));
  const pair = await boxKey();
  privateKey = pair.privateKey;
  const { recipients } = readRecipients({ key: pair.publicKey, keyId: "7" });
  sealed = JSON.stringify(await sealText(secret, recipients));
  identity = join(folder, "key");
  await writeFile(identity, `# mine\n${privateKey}\n`);
  await writeFile(join(folder, "sealed.json"), sealed);
});

afterAll(() => rm(folder, { recursive: true }));

test("a sealed value is opened from a file and from standard input, and only the secret is printed", async () => {
  const fromFile = await cli(["open", "--identity", identity, join(folder, "sealed.json")]);
  expect(fromFile).toMatchObject({ code: 0, stdout: `${secret}\n`, stderr: "" });
  expect(await cli(["open", "--identity", identity], { stdin: sealed, ownProcess: true })).toMatchObject({
    code: 0,
    stdout: `${secret}\n`,
    stderr: "",
  });
});

test("on a terminal the secret comes with a warning", async () => {
  const [lines, warnings]: [string[], string[]] = [[], []];
  const io = {
    print: (line: string) => void lines.push(line),
    warn: (line: string) => void warnings.push(line),
    readInput: async () => sealed,
    env: {},
    columns: 80,
    colours: false,
    progress: undefined,
    stopped: () => new Promise<void>(() => undefined),
  };
  expect(await open.run({ identity }, io, undefined)).toBe(0);
  expect(lines).toEqual([secret]);
  expect(warnings).toEqual([expect.stringContaining("prints a secret to a terminal")]);
});

test.each([
  ["no identity", [], "--identity is missing"],
  ["an identity file that is not there", ["--identity", "none"], "--identity none: cannot be read (ENOENT)"],
  ["another key", ["--identity", "other"], "sealed for another key, or damaged"],
])("%s ends with exit code 2, and no key is shown", async (_, args, reason) => {
  const other = (await boxKey()).privateKey;
  await writeFile(join(folder, "other"), other);
  const { code, stdout, stderr } = await cli(["open", ...args], { cwd: folder, stdin: sealed });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(reason);
  for (const key of [other, privateKey, secret]) expect(stderr).not.toContain(key);
});
