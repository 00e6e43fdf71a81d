// @ts-check
// Builds the documentation site from docs/. `npm run docs`; `--without-api` leaves out the reference of every export.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { writeApi } from "./docs/api.mjs";
import { writeMarkdownPages } from "./docs/markdownPages.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const site = process.env.EVENT_DATASETS_SITE ?? path.join(root, ".cache", "site");

if (!process.argv.includes("--without-api")) await writeApi(root);
await build(path.join(root, "docs"));
await writeMarkdownPages(root, site);
console.log(`the site is in ${path.relative(process.cwd(), site) || "."}`);
