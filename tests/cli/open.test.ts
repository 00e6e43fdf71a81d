import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { open } from "../../cli/open";
import { readRecipients } from "../../provider/shared/seal/recipients";
import { sealText } from "../../provider/shared/seal/seal";
import { builtCli, CHECKOUT } from "../support/checkout";
import { cli } from "../support/cli";
import { start } from "../support/command";
import { boxKey } from "../support/keys";
import { makeFolder } from "../support/suite";
import { fakeIo } from "./fakeIo";

const secret = "xaat-canary-0123456789abcdef";
const folder = makeFolder();
let sealed: string;
let privateKey: string;
const identity = join(folder, "key");

beforeAll(async () => {
  const pair = await boxKey();
  privateKey = pair.privateKey;
  const { recipients } = readRecipients({ key: pair.publicKey, keyId: "7" });
  sealed = JSON.stringify(await sealText(secret, recipients));
  await writeFile(identity, `# mine\n${privateKey}\n`);
  await writeFile(join(folder, "sealed.json"), sealed);
});

test("a sealed value is opened from a file and from standard input, and only the secret is printed", async () => {
  const opened = { code: 0, stdout: `${secret}\n`, stderr: "" };
  expect(await cli(["open", "--identity", identity, join(folder, "sealed.json")])).toMatchObject(opened);
  expect(await cli(["open", "--identity", identity], { stdin: sealed, ownProcess: true })).toMatchObject(opened);
});

test("on a terminal the secret comes with a warning", async () => {
  const { io, lines, warnings } = fakeIo({}, { readInput: async () => sealed });
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

test.each([
  ["age-encryption", "age keys", "AGE-SECRET-KEY-1", "-----BEGIN AGE ENCRYPTED FILE-----"],
  ["libsodium-wrappers", "sealed boxes", Buffer.alloc(32).toString("base64"), "AAAA"],
])("without the optional package %s the command names it and how to install it", async (name, purpose, key, value) => {
  const main = await installWithoutPeers(makeFolder());
  await writeFile(join(folder, "bare-key"), key);
  const settings = { cwd: folder, env: { PATH: process.env.PATH }, stdin: value };
  const opening = await start(process.execPath, [main, "open", "--identity", "bare-key"], settings);
  expect(await opening.done).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `pulumi-event-datasets: ${purpose} need the package ${name}, which is not installed: npm install ${name}\n`,
  });
});

/** Puts the built package and its two run-time dependencies into a folder, without the optional packages. @returns the command */
async function installWithoutPeers(root: string): Promise<string> {
  const modules = join(root, "node_modules");
  const own = join(modules, "pulumi-event-datasets");
  await mkdir(own, { recursive: true });
  // Copied, because Node.js looks for packages where the file really is: the checkout has the optional ones.
  await cp(join(CHECKOUT, "package.json"), join(own, "package.json"));
  await cp(dirname(dirname(builtCli())), join(own, "dist"), { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(CHECKOUT, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies))
    await symlink(join(CHECKOUT, "node_modules", name), join(modules, name));
  return join(own, "dist/cli/main.js");
}
