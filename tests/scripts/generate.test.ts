import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { produce } from "../../scripts/generate/produce.mjs";

let root = "";
let lines: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "event-datasets-generate-"));
  lines = [];
});
afterEach(() => rm(root, { recursive: true }));

const read = (file: string) => readFile(path.join(root, file), "utf8");
const generators = [
  { name: "first", make: async () => ({ "a.txt": "a\n", "b.txt": "b\n" }) },
  {
    name: "second",
    make: async (folder: string) => ({ "c.txt": await readFile(path.join(folder, "source"), "utf8") }),
  },
];
const run = (isCheck: boolean) => produce({ root, generators, isCheck, log: (line) => void lines.push(line) });

test("generated files that are missing or differ are written, and only those", async () => {
  await writeFile(path.join(root, "source"), "c\n");
  await writeFile(path.join(root, "a.txt"), "a\n");
  await writeFile(path.join(root, "c.txt"), "older\n");
  expect(await run(false)).toEqual(["b.txt", "c.txt"]);
  expect(lines).toEqual(["wrote b.txt (first)", "wrote c.txt (second)"]);
  expect(await Promise.all(["a.txt", "b.txt", "c.txt"].map(read))).toEqual(["a\n", "b\n", "c\n"]);
  expect(await run(false)).toEqual([]);
  expect(lines.at(-1)).toBe("every generated file is up to date");
});

test("a check names every outdated file with the command that writes it, and writes nothing", async () => {
  await writeFile(path.join(root, "source"), "c\n");
  await writeFile(path.join(root, "a.txt"), "edited\n");
  await writeFile(path.join(root, "b.txt"), "b\n");
  expect(await run(true)).toEqual(["a.txt", "c.txt"]);
  expect(lines).toEqual([
    "a.txt is outdated (first): run npm run generate",
    "c.txt is outdated (second): run npm run generate",
  ]);
  expect(await read("a.txt")).toBe("edited\n");
  await expect(read("c.txt")).rejects.toThrow("ENOENT");
});

test("a generator that fails is named", async () => {
  await expect(run(false)).rejects.toThrow("cannot make the second: ENOENT");
});
