import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import * as provider from "../../provider";
import { requireBuild } from "../support/build";
import { CHECKOUT } from "../support/program";
import { type CodeBlock, pagesOfSite, readMarkdown } from "./markdown";
import { exceptions, suites } from "./suites";

// Code that a reader copies must compile. A block without imports is a piece of a program: it sees the exports of the package,
// and the declarations of a comment before it: <!-- before this code: declare const x: string; -->

const pages = ["README.md", "SECURITY.md", "emulator/README.md", "emulator/apl/README.md", ...pagesOfSite()].map(
  readMarkdown,
);
const blocksIn = (...languages: string[]) =>
  pages.flatMap(({ file, blocks }) =>
    blocks.filter(({ language }) => languages.includes(language)).map((block) => ({ file, ...block })),
  );

const preamble = `import * as pulumi from "@pulumi/pulumi"; import { ${Object.keys(provider).join(", ")} } from "pulumi-event-datasets"; `;

/** The preamble is one line, so that the lines of the messages are those of the page. */
const programOf = ({ code, before }: CodeBlock): string =>
  `${/^import /m.test(code) ? "" : preamble}${before.replaceAll("\n", " ")}\n${isCommonJs(code) ? "" : "export {};"}\n${code}\n`;

/** A program that returns its outputs from a function. */
const isCommonJs = (code: string): boolean => /^export = /m.test(code);

test("every block of TypeScript compiles against the built package", () => {
  requireBuild();
  const programs = new Map(
    blocksIn("ts").map((block) => [
      path.join(
        CHECKOUT,
        ".cache",
        "code",
        `${block.file.replaceAll("/", "_")}_${block.line}.${isCommonJs(block.code) ? "cts" : "mts"}`,
      ),
      { block, text: programOf(block) },
    ]),
  );
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
  const compiled = ts.createProgram([...programs.keys()], options, host);
  const problems = ts.getPreEmitDiagnostics(compiled).map(({ file, start, messageText }) => {
    const program = file && programs.get(file.fileName);
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    const at = program ? `${program.block.file}:${program.block.line + line - 2}` : file?.fileName;
    return `${at}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(problems).toEqual([]);
});

test("every block of JSON can be read", () => {
  const unreadable = blocksIn("json").flatMap(({ file, line, code }) => {
    try {
      JSON.parse(code);
      return [];
    } catch (failure) {
      return [`${file}:${line}: ${failure}`];
    }
  });
  expect(unreadable).toEqual([]);
});

test("a block of code that a page says is from an example is what the example has", () => {
  const marked = pages.flatMap(({ file, blocks, text }) => {
    const lines = text.split("\n");
    return blocks.flatMap(({ line, code }) => {
      const source = /^From \[(examples\/[^\]]+)\]\(\S+\):$/.exec(lines[line - 4] ?? "")?.[1];
      return source ? [{ page: `${file}:${line}`, code, source }] : [];
    });
  });
  const markers = pages.flatMap(({ text }) => text.match(/^From \[examples\//gm) ?? []);
  expect(markers.length).toBeGreaterThan(8);
  expect(marked).toHaveLength(markers.length);
  const stale = marked.filter(
    ({ code, source }) => !`\n${readFileSync(path.join(CHECKOUT, source), "utf8")}`.includes(`\n${code}\n`),
  );
  expect(stale.map(({ page, source }) => `${page} differs from ${source}`)).toEqual([]);
});

test("the template for pulumi new has the program and the compiler options of the guide", () => {
  const guide = readMarkdown("docs/guides/gettingStarted.md");
  for (const name of ["index.ts", "tsconfig.json"]) {
    const code = guide.blocks.find(({ label }) => label === name)?.code;
    expect(readFileSync(path.join(CHECKOUT, "template", name), "utf8")).toBe(`${code}\n`);
  }
});

test("a page that stops things with await using says what that needs", () => {
  const silent = pages.filter(
    ({ text, blocks }) => blocks.some(({ code }) => code.includes("await using")) && !text.includes("Node.js 24"),
  );
  expect(silent.map(({ file }) => file)).toEqual([]);
});

test("every page and example with commands has a suite that types them, or a reason why not", () => {
  const readmes = readdirSync(path.join(CHECKOUT, "examples")).map((name) => `examples/${name}/README.md`);
  const withCommands = [...pages, ...readmes.map(readMarkdown)]
    .filter(({ blocks }) => blocks.some(({ language }) => language === "sh"))
    .map(({ file }) => file);
  const listed = [...Object.values(suites).flat(), ...Object.keys(exceptions)];
  expect(listed.toSorted()).toEqual([...new Set([...withCommands, ...readmes])].sort());
  for (const [suite, typed] of Object.entries(suites)) {
    const source = readFileSync(path.join(CHECKOUT, `${suite}.test.ts`), "utf8");
    const missing = typed.filter(
      (file) => !source.includes(`"${/^examples\/([^/]+)\/README\.md$/.exec(file)?.[1] ?? file}"`),
    );
    expect({ suite, missing }).toEqual({ suite, missing: [] });
  }
});

test.each(
  Object.values(suites)
    .flat()
    .filter((file) => file.startsWith("examples/")),
)("%s says what the example shows, what it needs, the commands and the output", (file) => {
  expect(readMarkdown(file).text.match(/^## .*$/gm)).toEqual([
    "## What it shows",
    "## What you need",
    "## Commands",
    "## Expected output",
  ]);
});
