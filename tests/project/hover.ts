import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import * as ts from "typescript";
import { argumentsOf, membersOf } from "../../framework/definition";
import { resourceDefinitions } from "../../provider/nouns";
import { root } from "./compiler";

// What an editor shows of the declaration files that users have.
const program = `import { ${Object.keys(resourceDefinitions).join(", ")}, Provider } from "${join(root, "dist/provider")}";
type Args<T extends abstract new (...args: never[]) => unknown> = NonNullable<ConstructorParameters<T>[1]>;
${Object.entries(resourceDefinitions)
  .map(([name, definition]) => {
    const outputs = membersOf(definition);
    const reads = outputs.map((key) => `void made${name}.${key};`);
    return `declare const args${name}: Args<typeof ${name}>; declare const made${name}: ${name};
${argumentsOf(definition)
  .map((key) => `void args${name}.${key};`)
  .join("\n")}
${reads.join("\n")}`;
  })
  .join("\n")}
declare const argsProvider: Args<typeof Provider>;
void argsProvider.baseUrl; void argsProvider.queryDeadline;
`;

test("an editor shows the doc comment of every argument and every output", () => {
  const file = join(root, "tests/project/hovered.ts");
  const options = { strict: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, types: [] };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) =>
      name === file || ts.sys.fileExists(name)
        ? ts.ScriptSnapshot.fromString(name === file ? program : readFileSync(name, "utf8"))
        : undefined,
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const problems = service
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  expect(problems).toEqual([]);
  const places = [...program.matchAll(/void (\w+\.(\w+));/g)];
  expect(places.length).toBeGreaterThan(60);
  const bare = places.filter(({ index, 1: path = "", 2: name = "" }) => {
    const shown = service.getQuickInfoAtPosition(file, index + 5 + path.length - name.length);
    return ts.displayPartsToString(shown?.documentation) === "";
  });
  expect(bare.map(([, path]) => path)).toEqual([]);
});
