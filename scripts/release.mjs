// @ts-check
// Writes `author`, `repository`, `homepage`, `bugs` and the plugin's download address into package.json. The release workflow runs
// this, and then `npm run generate`, which copies them into schema.json. The result is not committed.
//   EVENT_DATASETS_REPOSITORY=https://… node scripts/release.mjs [folder]
import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readRepository } from "./steps/repository.mjs";

const folder = process.argv[2] ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const file = path.join(folder, "package.json");

try {
  const { name, version, description, ...rest } = JSON.parse(await fs.readFile(file, "utf8"));
  const { url, owner, pluginServer } = readRepository(process.env, version);
  const hasPlugin = "pulumi-resource-event-datasets" in (rest.bin ?? {});
  const where = {
    author: owner,
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: "git", url: `git+${url}.git` },
    ...(hasPlugin && pluginServer ? { config: { pluginDownloadURL: pluginServer } } : {}),
  };
  await fs.writeFile(file, `${JSON.stringify({ name, version, description, ...where, ...rest }, undefined, 2)}\n`);
  // GitHub shows links to pages of the repository that are no files; elsewhere they need its address.
  for (const page of ["README.md", "SECURITY.md"].map((page) => path.join(folder, page)).filter(existsSync)) {
    const text = await fs.readFile(page, "utf8");
    await fs.writeFile(page, text.replaceAll("](../../", `](${url}/`));
  }
  console.log(`${name} ${version} of ${url}`);
} catch (failure) {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
}
