// @ts-check
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeSdks } from "./steps/makeSdks.mjs";

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: node scripts/sdks.mjs FOLDER");
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
await makeSdks({ root, env: process.env, folder: path.resolve(folder) });
