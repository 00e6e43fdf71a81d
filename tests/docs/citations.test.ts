import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { filesBelow } from "../support/checkout";
import { CHECKOUT } from "../support/program";

const folders = ["audit", "cli", "emulator", "framework", "provider", "sdk", "values", "tests"];

const sources = folders.flatMap((folder) => filesBelow(folder, /\.ts$/)).filter((file) => !file.includes("/dist/"));

/** A comment on several lines is one text. */
const readText = (file: string): string =>
  readFileSync(path.join(CHECKOUT, file), "utf8").replaceAll(/\s*\n\s*(\*|\/\/)\s*/g, " ");

/** The sections of an interface document, by their numbers or titles. */
const sectionsOf = (document: string): string[] =>
  [...readFileSync(path.join(CHECKOUT, `sdk/interface/${document}.md`), "utf8").matchAll(/^##+ (.+)$/gm)].flatMap(
    ([, title = ""]) => [/^[\d.]*\d/.exec(title)?.[0] ?? title],
  );

const citations = sources.flatMap((file) =>
  [
    ...readText(file).matchAll(/\b(documented|extended) interface, ((?:(?:, | and | to )?(?:"[^"]+"|\d[\d.]*\b))+)/gi),
  ].flatMap(([, document = "", list = ""]) =>
    (list.match(/"[^"]+"|\d+(\.\d+)*/g) ?? []).map((section) => ({
      file,
      document: document.toLowerCase(),
      section: section.replaceAll('"', ""),
    })),
  ),
);

test.each(["documented", "extended"])("every section that code cites is in the %s interface", (document) => {
  const sections = sectionsOf(document);
  const cited = citations.filter((one) => one.document === document);
  expect(cited.length).toBeGreaterThan(5);
  expect(cited.filter(({ section }) => !sections.includes(section))).toEqual([]);
});
