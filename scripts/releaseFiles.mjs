// @ts-check
// Builds the files of a release: both npm packages, the plugin's archives, the SDKs, a manifest and checksums.
//   EVENT_DATASETS_REPOSITORY=https://… node scripts/releaseFiles.mjs FOLDER
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withOwnBinaries } from "./steps/dependencies.mjs";
import { log } from "./steps/log.mjs";
import { makeReleaseFiles } from "./steps/releaseFiles.mjs";

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: node scripts/releaseFiles.mjs FOLDER");
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { files } = await makeReleaseFiles({ root, env: withOwnBinaries(root), folder: path.resolve(folder), log });
for (const { file, sha256 } of files) console.log(`${sha256}  ${file}`);
