// @ts-check
// Builds the documentation site from docs/. `npm run docs`.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const site = process.env.EVENT_DATASETS_SITE ?? path.join(root, ".cache", "site");

await build(path.join(root, "docs"));
console.log(`the site is in ${path.relative(process.cwd(), site) || "."}`);
