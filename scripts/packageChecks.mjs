// @ts-check
// Checks a packed package: publint reads its manifest, "are the types wrong?" its types.
//   node scripts/packageChecks.mjs TARBALL      prints the problems as JSON
import fs from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const [tarball] = process.argv.slice(2);
if (!tarball) throw new Error("usage: node scripts/packageChecks.mjs TARBALL");
const data = await fs.readFile(tarball);
const content = new Uint8Array(data);

const { messages, pkg } = await publint({
  pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
});
const types = await checkPackage(createPackageFromTarballData(content));
const problems = [
  ...messages.map((message) => `publint: ${formatMessage(message, pkg)}`),
  ...(types.types ? types.problems : [{ kind: "no types" }]).map((problem) => `types: ${JSON.stringify(problem)}`),
];
console.log(JSON.stringify(problems, undefined, 2));
