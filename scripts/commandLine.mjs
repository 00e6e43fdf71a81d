#!/usr/bin/env node
// @ts-check
// Writes what every command takes (cli/manuals) into docs/commandLine.md. To run after a change of a manual:
//   npm run build && node scripts/commandLine.mjs
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const load = createRequire(path.join(root, "dist/"));
const { manuals } = load("./cli/manuals/index.js");
const { commandHelp } = load("./cli/help.js");

const page = path.join(root, "docs/commandLine.md");
const text = await readFile(page, "utf8");
const sections = Object.entries(manuals).map(
  ([name, manual]) =>
    `### ${name}\n\n${manual.summary[0].toUpperCase()}${manual.summary.slice(1)}.\n\n\`\`\`text\n${commandHelp(name, manual)}\n\`\`\`\n`,
);
await writeFile(
  page,
  text.replace(
    /(<!-- commands -->\n)[\s\S]*(?=<!-- end of commands -->)/,
    (_, start) => `${start}\n${sections.join("\n")}\n`,
  ),
);
