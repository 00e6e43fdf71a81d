import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { CHECKOUT } from "../support/program";
import { readMarkdown } from "./markdown";

/** Paragraphs that promise nothing: directions to the reader, limits, facts about others, conclusions from the paragraph before. */
const explanations: Readonly<Record<string, readonly string[]>> = {
  "docs/security.md": [
    "To report a vulnerability",
    "Each promise names",
    "**A secret that a transform of a parent",
    "**In inline programs of the Automation API",
    "**Whoever can read the memory",
  ],
  "docs/sealing.md": [
    "The service shows a token's secret once",
    "**If you lose the private key",
    "**A consumer that passes",
    "Install the package next to this one",
    "Recipients are public",
  ],
};

/** The paragraphs, items of lists and tables of a page, each as one line, without headings, code and comments. */
function passagesOf(file: string): readonly string[] {
  const prose = readMarkdown(file)
    .text.replaceAll(/^```[\s\S]*?^```$/gm, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/^#.*$/gm, "")
    .replaceAll(/^- /gm, "\n");
  const passages = prose.split(/\n{2,}/).map((passage) => passage.trim().replaceAll(/\s+/g, " "));
  // The paragraph below a table names the tests of its rows.
  return passages.filter((passage) => passage !== "" && !passage.startsWith("| Who has"));
}

const testsIn = (text: string) => text.match(/`tests\/[^`]+`/g)?.map((name) => name.slice(1, -1)) ?? [];

describe.each(Object.entries(explanations))("every promise of %s", (file, others) => {
  const passages = passagesOf(file);

  test("names the test behind it", () => {
    expect(passages.length).toBeGreaterThan(15);
    const bare = passages.filter((passage) => testsIn(passage).length === 0);
    expect(bare.filter((passage) => !others.some((start) => passage.startsWith(start)))).toEqual([]);
    // The list of the others names nothing that is gone.
    expect(others.filter((start) => !bare.some((passage) => passage.startsWith(start)))).toEqual([]);
  });

  test("names a test that exists", () => {
    const named = passages.flatMap(testsIn);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !name.endsWith(".test.ts") || !existsSync(path.join(CHECKOUT, name)))).toEqual([]);
  });
});
