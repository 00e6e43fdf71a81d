// @ts-check
// Writes into package.json where the project lives: `repository`, `homepage` and `bugs`, all from one setting. Run by the release
// workflow right before it publishes; the result is not committed.
//   EVENT_DATASETS_REPOSITORY=https://… node scripts/release.mjs [folder]
import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2] ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const file = path.join(folder, "package.json");
const repository = process.env.EVENT_DATASETS_REPOSITORY ?? "";

const url = URL.canParse(repository) ? new URL(repository) : undefined;
if (
  url?.protocol !== "https:" ||
  !/^\/[\w.-]+\/[\w.-]+$/.test(url.pathname) ||
  url.search ||
  url.hash ||
  url.username
) {
  console.error("EVENT_DATASETS_REPOSITORY must be the https address of the repository: https://HOST/OWNER/NAME");
  process.exit(1);
}

const manifest = JSON.parse(await fs.readFile(file, "utf8"));
const tag = process.env.GITHUB_REF_NAME;
if (tag !== undefined && tag !== `v${manifest.version}`) {
  console.error(`the tag ${tag} is not v and the version of package.json, ${manifest.version}`);
  process.exit(1);
}
const { name, version, description, ...rest } = manifest;
const where = {
  homepage: `${repository}#readme`,
  bugs: { url: `${repository}/issues` },
  repository: { type: "git", url: `git+${repository}.git` },
};
await fs.writeFile(file, `${JSON.stringify({ name, version, description, ...where, ...rest }, undefined, 2)}\n`);
console.log(`${name} ${version} of ${repository}`);
