import path from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import * as provider from "../../provider";
import { requireBuild } from "../support/build";
import { CHECKOUT } from "../support/program";
import { type CodeBlock, pagesOfSite, readMarkdown } from "./markdown";

// What a reader copies must compile. A block that imports nothing is a piece of a program: it sees what the package
// exports, and what a comment before it declares: <!-- before this code: declare const x: string; -->

const pages = ["README.md", "SECURITY.md", ...pagesOfSite()].map(readMarkdown);
const blocksIn = (...languages: string[]) =>
  pages.flatMap(({ file, blocks }) =>
    blocks.filter(({ language }) => languages.includes(language)).map((block) => ({ file, ...block })),
  );

const preamble = `import * as pulumi from "@pulumi/pulumi"; import { ${Object.keys(provider).join(", ")} } from "pulumi-event-datasets"; `;

/** The preamble is one line, so that the lines of the messages are those of the page. */
const programOf = ({ code, before }: CodeBlock): string =>
  `${/^import /m.test(code) ? "" : preamble}${before.replaceAll("\n", " ")}\nexport {};\n${code}\n`;

test("every block of TypeScript compiles against the built package", () => {
  requireBuild();
  const programs = new Map(
    blocksIn("ts").map((block) => [
      path.join(CHECKOUT, ".cache", "code", `${block.file.replaceAll("/", "_")}_${block.line}.mts`),
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
