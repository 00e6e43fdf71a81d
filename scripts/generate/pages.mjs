// @ts-check
import { formatTable } from "../matrix/promises.mjs";
import { fillMark, loadSource, readSource } from "./sources.mjs";

/** @typedef {import("./produce.mjs").Make} Make */

/** The help of every command, from its manual. @type {Make} */
export async function makeCommandPage(root) {
  const { manuals } = await loadSource(root, "cli/manuals/index.ts");
  const { commandHelp } = await loadSource(root, "cli/help.ts");
  const sections = Object.entries(manuals).map(([name, manual]) => {
    const summary = manual.summary.charAt(0).toUpperCase() + manual.summary.slice(1);
    return `### ${name}\n\n${summary}.\n\n\`\`\`text\n${commandHelp(name, manual)}\n\`\`\``;
  });
  const file = "docs/commandLine.md";
  return { [file]: fillMark(await readSource(root, file), "commands", sections.join("\n\n")) };
}

/** The operators and functions that the emulator runs, from the tables of its query language. @type {Make} */
export async function makeLanguagePage(root) {
  const { describeLanguage } = await loadSource(root, "tests/emulator/apl/language.ts");
  const file = "design/queryLanguage.md";
  return { [file]: fillMark(await readSource(root, file), "table", describeLanguage().trimEnd()) };
}

/** Where Pulumi shows secrets, from the table that the canaries of tests/e2e/sealing are checked against. @type {Make} */
export async function makeSecurityPage(root) {
  const { describeExposures } = await loadSource(root, "tests/e2e/sealing/exposures.ts");
  const file = "docs/security.md";
  return { [file]: fillMark(await readSource(root, file), "exposures", describeExposures()) };
}

/** How every fault ends, from the table that the cells of tests/faults are checked against. @type {Make} */
export async function makeFaultPage(root) {
  const { matrixAsMarkdown } = await loadSource(root, "tests/faults/document.ts");
  const file = "design/reliability.md";
  return { [file]: fillMark(await readSource(root, file), "matrix", matrixAsMarkdown()) };
}

/**
 * The combinations of CLI and SDK, from the outcomes that `npm run matrix -- --write` recorded, and the changelog with the links and the
 * headings of that page.
 * @type {Make}
 */
export async function makeVersionsPage(root) {
  const table = JSON.parse(await readSource(root, "scripts/matrix/table.json"));
  const file = "docs/reference/settings.md";
  const page = fillMark(await readSource(root, file), "combinations", formatTable(table));
  const [, changes = ""] = (await readSource(root, "CHANGELOG.md")).split(/^# .*\n/m);
  const text = changes
    .replaceAll("](docs/reference/settings.md", "](")
    .replaceAll("](docs/", "](../")
    .replaceAll(/^#/gm, "##");
  return { [file]: fillMark(page, "changes", text.trim()) };
}
