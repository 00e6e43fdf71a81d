import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import * as provider from "../../provider";
import { requireBuild } from "../support/checkout";
import { CHECKOUT } from "../support/program";
import { type CodeBlock, pagesOfSite, readMarkdown } from "./markdown";
import { exceptions, suites } from "./suites";

// Code that a reader copies must compile. A block without imports is a piece of a program: it sees the exports of the package,
// and the declarations of a comment before it: <!-- before this code: declare const x: string; -->

const read = (file: string) => readFileSync(path.join(CHECKOUT, file), "utf8");
const pages = ["README.md", "SECURITY.md", "emulator/README.md", "emulator/apl/README.md", ...pagesOfSite()].map(
  readMarkdown,
);
const blocks = pages.flatMap(({ file, blocks, text }) => {
  const lines = text.split("\n");
  // Two lines above the fence: From [examples/…](…):
  const sourceOf = (line: number) => /^From \[(examples\/[^\]]+)\]\(\S+\):$/.exec(lines[line - 4] ?? "")?.[1];
  return blocks.map((block) => ({ file, ...block, source: sourceOf(block.line) }));
});

const preamble = `import * as pulumi from "@pulumi/pulumi"; import { ${Object.keys(provider).join(", ")} } from "pulumi-event-datasets"; `;

/** The preamble is one line, so that the lines of the messages are those of the page. */
const programOf = ({ code, before }: CodeBlock): string =>
  `${/^import /m.test(code) ? "" : preamble}${before.replaceAll("\n", " ")}\n${isCommonJs(code) ? "" : "export {};"}\n${code}\n`;

/** A program that returns its outputs from a function. */
const isCommonJs = (code: string): boolean => /^export = /m.test(code);

test("every block of TypeScript compiles against the built package", () => {
  requireBuild();
  const nameOf = ({ file, line, code }: (typeof blocks)[number]) =>
    path.join(CHECKOUT, ".cache/code", `${file.replaceAll("/", "_")}_${line}.${isCommonJs(code) ? "cts" : "mts"}`);
  const inTypeScript = blocks.filter(({ language }) => language === "ts");
  const programs = new Map(inTypeScript.map((block) => [nameOf(block), { block, text: programOf(block) }]));
  expect(programs.size).toBeGreaterThan(15);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.getCurrentDirectory = () => CHECKOUT;
  host.fileExists = (name) => programs.has(name) || fileExists(name);
  host.readFile = (name) => programs.get(name)?.text ?? readFile(name);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const program = programs.get(name);
    return program
      ? ts.createSourceFile(name, program.text, languageVersion)
      : getSourceFile(name, languageVersion, ...rest);
  };
  const others = path.join(CHECKOUT, "tests/docs/otherPackages.d.ts");
  const compiled = ts.createProgram([others, ...programs.keys()], options, host);
  const problems = ts.getPreEmitDiagnostics(compiled).map(({ file, start, messageText }) => {
    const program = file && programs.get(file.fileName);
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    const at = program ? `${program.block.file}:${program.block.line + line - 2}` : file?.fileName;
    return `${at}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(problems).toEqual([]);
});

test("every block of JSON can be read", () => {
  for (const { language, code } of blocks) if (language === "json") JSON.parse(code);
});

test("a block of code that a page says is from an example is what the example has", () => {
  const marked = blocks.flatMap(({ file, line, code, source }) =>
    source ? [{ at: `${file}:${line}`, code, source }] : [],
  );
  const marks = pages.flatMap(({ text }) => text.match(/^From \[examples\//gm) ?? []);
  expect(marked).toHaveLength(marks.length);
  const stale = marked.filter(({ code, source }) => !`\n${read(source)}`.includes(`\n${code}\n`));
  expect(stale.map(({ at, source }) => `${at} differs from ${source}`)).toEqual([]);
});

test("a page uses each example", () => {
  const examples = readdirSync(path.join(CHECKOUT, "examples")).filter((name) => name !== "README.md");
  const unused = examples.filter((name) => !pages.some(({ text }) => text.includes(`examples/${name}`)));
  expect(unused).toEqual([]);
});

test("a page that stops things with await using says what that needs", () => {
  const silent = blocks
    .filter(({ code }) => code.includes("await using"))
    .filter(({ file }) => !read(file).includes("Node.js 24"));
  expect(silent.map(({ file }) => file)).toEqual([]);
});

test("every page and example with commands has a suite that types them, or a reason why not", () => {
  const folders = readdirSync(path.join(CHECKOUT, "examples"), { recursive: true, encoding: "utf8" });
  const readmes = folders.filter((file) => path.basename(file) === "README.md").map((file) => `examples/${file}`);
  const withCommands = [...pages, ...readmes.map(readMarkdown)]
    .filter(({ blocks }) => blocks.some(({ language }) => language === "sh"))
    .map(({ file }) => file);
  const listed = [...Object.values(suites).flat(), ...Object.keys(exceptions)];
  expect(listed.toSorted()).toEqual(withCommands.sort());
  for (const [suite, typed] of Object.entries(suites)) {
    expect(existsSync(path.join(CHECKOUT, `${suite}.test.ts`))).toBe(true);
    const nameOf = (file: string) => /^examples\/([^/]+)\/README\.md$/.exec(file)?.[1] ?? file;
    const missing = typed.filter((file) => !read(`${suite}.test.ts`).includes(`"${nameOf(file)}"`));
    expect({ suite, missing }).toEqual({ suite, missing: [] });
  }
});
