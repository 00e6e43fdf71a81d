import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { produce } from "../../scripts/generate/produce.mjs";
import { makeFolder } from "../support/suite";

const root = makeFolder();
const read = (file: string) => readFile(path.join(root, file), "utf8");
const write = (file: string, text: string) => writeFile(path.join(root, file), text);
const generators = [
  { name: "first", make: async () => ({ "a.txt": "a\n", "b.txt": "b\n" }) },
  {
    name: "second",
    make: async (folder: string) => ({ "c.txt": await readFile(path.join(folder, "source"), "utf8") }),
  },
];
async function run(isCheck: boolean) {
  const lines: string[] = [];
  const files = await produce({ root, generators, isCheck, log: (line) => void lines.push(line) });
  return { files, lines };
}

test("a generator that fails is named", async () => {
  await expect(run(false)).rejects.toThrow("cannot make the second: ENOENT");
});

test("a check names every outdated file and writes nothing; else files that are missing or differ are written", async () => {
  await write("source", "c\n");
  await write("a.txt", "a\n");
  await write("c.txt", "older\n");
  await rm(path.join(root, "b.txt"), { force: true });
  expect(await run(true)).toEqual({
    files: ["b.txt", "c.txt"],
    lines: ["b.txt is outdated (first): run npm run generate", "c.txt is outdated (second): run npm run generate"],
  });
  expect(await read("c.txt")).toBe("older\n");
  await expect(read("b.txt")).rejects.toThrow("ENOENT");
  expect(await run(false)).toEqual({
    files: ["b.txt", "c.txt"],
    lines: ["wrote b.txt (first)", "wrote c.txt (second)"],
  });
  expect(await Promise.all(["a.txt", "b.txt", "c.txt"].map(read))).toEqual(["a\n", "b\n", "c\n"]);
  expect(await run(false)).toEqual({ files: [], lines: ["every generated file is up to date"] });
});
