import { join, relative } from "node:path";
import { expect, test } from "@jest/globals";
import * as ts from "typescript";

const root = join(__dirname, "../..");

/** Text to put in: after the first place where the other one stands in the file. */
type Edit = readonly [file: string, after: string, added: string];

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  root,
);
const parsed = new Map<string, ts.SourceFile>();

/** The files of these that do not compile, once some are edited. */
function filesWithErrors(files: readonly string[], edits: readonly Edit[]): string[] {
  const edited = new Map<string, string>();
  for (const [file, after, added] of edits) {
    const path = join(root, file);
    const text = edited.get(path) ?? ts.sys.readFile(path) ?? "";
    if (!text.includes(after)) throw new Error(`${file} does not hold ${after}`);
    edited.set(
      path,
      text.replace(after, () => after + added),
    );
  }
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...rest) => {
    const text = edited.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, version);
    const found = parsed.get(name) ?? getSourceFile(name, version, ...rest);
    if (found) parsed.set(name, found);
    return found;
  };
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    { ...options, noEmit: true },
    host,
  );
  const failing = files.filter((file) => {
    const source = program.getSourceFile(join(root, file));
    return program.getSemanticDiagnostics(source).length > 0;
  });
  return failing.map((file) => relative(root, join(root, file)));
}

const annotations = [
  "sdk/resources/annotationFields.ts",
  "provider/lifecycle/annotation/fields.ts",
  "provider/resources/annotation.ts",
];

test("a field that an annotation gets is missed by the compiler wherever it is forgotten", () => {
  const spec: Edit = [annotations[0] ?? "", "export interface AnnotationSpec {", "readonly icon?: string | undefined;"];
  expect(filesWithErrors(annotations, [])).toEqual([]);
  expect(filesWithErrors(annotations, [spec])).toEqual(annotations);

  const resource = "provider/resources/annotation.ts";
  const entry: Edit = [resource, "const properties = {", 'icon: "argument",'];
  const argument: Edit = [resource, "export interface AnnotationArgs {", "icon?: pulumi.Input<string | undefined>;"];
  const output: Edit = [
    resource,
    "implements OutputsOf<typeof properties> {",
    "declare readonly icon: pulumi.Output<string | undefined>;",
  ];
  expect(filesWithErrors([resource], [spec, entry])).toEqual([resource]);
  expect(filesWithErrors([resource], [spec, entry, argument])).toEqual([resource]);
  expect(filesWithErrors([resource], [spec, entry, argument, output])).toEqual([]);
  expect(filesWithErrors([resource], [argument])).toEqual([resource]);
});

test.each<[string, Edit, readonly string[]]>([
  [
    "an input that a gate gets",
    ["provider/lifecycle/gate/inputs.ts", "export interface QueryGateInputs {", "readonly icon?: string;"],
    ["provider/lifecycle/gate/inputs.ts", "provider/resources/queryGate.ts"],
  ],
  [
    "a bound that a gate gets",
    ["provider/lifecycle/gate/expectation.ts", "export interface Expectation {", "readonly icon?: string;"],
    ["provider/lifecycle/gate/expectation.ts"],
  ],
  [
    "a setting",
    ["sdk/settings.ts", "export interface Settings {", "readonly icon?: string;"],
    ["sdk/settings.ts", "provider/resources/provider.ts"],
  ],
  [
    "an argument of a deployment's annotation",
    [
      "provider/components/deploymentAnnotation.ts",
      "export interface DeploymentAnnotationArgs {",
      "icon?: string | undefined;",
    ],
    ["provider/components/deploymentAnnotation.ts"],
  ],
  [
    "a filter of tokens",
    ["sdk/tokenFilter.ts", "export interface TokenFilter {", "readonly icon?: string | undefined;"],
    ["provider/lookups/getTokens.ts"],
  ],
])("%s is missed wherever it is forgotten", (_, edit, files) => {
  expect(filesWithErrors(files, [edit])).toEqual(files);
});
