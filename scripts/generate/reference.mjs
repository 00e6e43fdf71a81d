// @ts-check
import ts from "typescript";
import { describeCapabilities, describeNeeds } from "./capabilities.mjs";
import { Declarations } from "./declarations.mjs";
import { readExampleTabs } from "./languageExamples.mjs";
import { lowerFirst, upperFirst } from "./schema.mjs";
import { fillMark, loadSource, readSource } from "./sources.mjs";

/** The file and the name of an interface or a class. @typedef {readonly [file: string, name: string]} Source */
/** By the comment that marks the place of each. @typedef {Readonly<Record<string, Source>>} Tables */

const PAGE = "docs/reference/resources.md";

/** The tables besides those that every resource and every function has, by page. @type {Readonly<Record<string, Tables>>} */
const furtherTables = {
  [PAGE]: {
    rotation: ["provider/apiToken/rotation.ts", "Rotation"],
    adopt: ["provider/apiToken/model.ts", "Adopt"],
    expect: ["provider/queryGate/expectation.ts", "Expectation"],
    "arguments of Provider": ["provider/account/provider.ts", "ProviderArgs"],
    token: ["sdk/resources/tokenFields.ts", "TokenSpec"],
    aggregation: ["sdk/queries/request.ts", "AggregationRequest"],
    filter: ["sdk/queries/request.ts", "Filter"],
  },
  "docs/guides/testing.md": {
    options: ["emulator/testing.ts", "EmulatorOptions"],
    emulator: ["emulator/testing.ts", "Emulator"],
  },
};

/** The reference of resources and functions, from the declarations and their doc comments. @type {import("./produce.mjs").Make} */
export async function makeReferencePages(root) {
  const declarations = Declarations.of(root);
  const { resourceDefinitions, lookups } = await loadSource(root, "provider/nouns.ts");
  const { operations } = await loadSource(root, "sdk/operations.ts");
  const { capabilityRules } = await loadSource(root, "provider/apiToken/capabilityRules.ts");
  const exampleOf = await readExampleTabs(root);
  /** @type {Record<string, string>} */
  const marks = {
    ...tablesOf(declarations, furtherTables[PAGE] ?? {}),
    capabilities: describeCapabilities(capabilityRules),
  };
  marks["example of Provider"] = exampleOf("Provider");
  for (const name of [...Object.keys(resourceDefinitions), ...Object.keys(lookups)]) {
    marks[`example of ${name}`] = exampleOf(name);
    marks[`needs of ${name}`] = describeNeeds(operations, name);
  }
  for (const name of Object.keys(resourceDefinitions)) {
    const [args, outputs] = [`provider/${lowerFirst(name)}/args.ts`, `provider/${lowerFirst(name)}/resource.ts`];
    const passed = rowsOf(declarations, [args, `${name}Args`]);
    marks[`arguments of ${name}`] = toTable(passed);
    marks[`outputs of ${name}`] = toTable(withoutArguments(rowsOf(declarations, [outputs, name]), passed));
  }
  for (const name of Object.keys(lookups))
    marks[`arguments of ${name}`] = toTable(
      rowsOf(declarations, [`provider/lookups/${name}.ts`, `${upperFirst(name)}Args`]),
    );
  const testing = "docs/guides/testing.md";
  return {
    [PAGE]: fillMarks(await readSource(root, PAGE), marks),
    [testing]: fillMarks(await readSource(root, testing), tablesOf(declarations, furtherTables[testing] ?? {})),
  };
}

/** @param {string} page @param {Readonly<Record<string, string>>} marks */
const fillMarks = (page, marks) =>
  Object.entries(marks).reduce((text, [mark, content]) => fillMark(text, mark, content), page);

/** @param {Declarations} declarations @param {Tables} tables */
const tablesOf = (declarations, tables) =>
  Object.fromEntries(Object.entries(tables).map(([mark, source]) => [mark, toTable(rowsOf(declarations, source))]));

/** Every argument is an output as well: only an output that can differ from its argument is worth a row. @param {readonly Row[]} outputs @param {readonly Row[]} passed */
const withoutArguments = (outputs, passed) =>
  outputs.filter(
    ({ name, text }) =>
      !passed.some((one) => one.name === name) || /generated|counted from|otherwise the time/.test(text),
  );

/**
 * @typedef {{ name: string, type: string, isRequired: boolean, preset: string, text: string }} Row
 * @param {Declarations} declarations
 * @param {Source} source
 */
function rowsOf(declarations, source) {
  const members = declarations.checker.getPropertiesOfType(declarations.typeOf(...source));
  const found = members.flatMap((member) => rowOf(declarations, member, source));
  return [...found.filter(({ isRequired }) => isRequired), ...found.filter(({ isRequired }) => !isRequired)];
}

/** @param {readonly Row[]} rows */
function toTable(rows) {
  const head = ["Name", "Type", "What it is"];
  const cells = rows.map(({ name, type, isRequired, preset, text }) => [
    `\`${name}\`${isRequired ? " *" : requiredInExtended.test(text) ? " **" : ""}`,
    `\`${type}\``,
    preset === "" ? text : `${text} Default: ${preset}.`,
  ]);
  const lines = [head, head.map(() => "---"), ...cells.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))];
  const notes = [
    ...(rows.some(({ isRequired }) => isRequired) ? ["\\* required"] : []),
    ...(rows.some(({ text }) => requiredInExtended.test(text)) ? ["\\*\\* required in the `extended` profile"] : []),
  ];
  return [
    lines.map((row) => `| ${row.join(" | ")} |`).join("\n"),
    ...(notes.length > 0 ? [notes.join(" · ")] : []),
  ].join("\n\n");
}

/** How a doc comment says it. */
const requiredInExtended = /The public service requires it/;

/**
 * A row for a field that users see; none for a method, or for what is inherited from a package.
 * @param {Declarations} declarations
 * @param {ts.Symbol} symbol
 * @param {Source} source
 */
function rowOf(declarations, symbol, [file, owner]) {
  const member = symbol.declarations?.[0];
  const isField =
    member &&
    (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member));
  if (!isField || !member.type || declarations.program.isSourceFileFromExternalLibrary(member.getSourceFile()))
    return [];
  const isHidden = ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
  if (isHidden || symbol.getJsDocTags().some(({ name }) => name === "internal")) return [];
  const { text: common, preset, remarks } = declarations.docOf(symbol);
  const text = [common, remarks].filter(Boolean).join(" ");
  if (text === "") throw new Error(`${file}: ${owner}.${symbol.name} has no doc comment`);
  const isRequired = ts.isPropertySignature(member) && !(symbol.flags & ts.SymbolFlags.Optional);
  return [{ name: symbol.name, type: describeType(member.type), isRequired, preset, text }];
}

/** A type as a reader wants it: without what every argument may be, an output or left out. @param {ts.TypeNode} node @returns {string} */
function describeType(node) {
  if (ts.isParenthesizedTypeNode(node)) return describeType(node.type);
  if (ts.isTypeOperatorNode(node)) return describeType(node.type);
  if (ts.isArrayTypeNode(node)) {
    const item = describeType(node.elementType);
    return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (ts.isUnionTypeNode(node)) {
    const parts = node.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword).map(describeType);
    return [...new Set(parts)].join(" | ");
  }
  if (ts.isConditionalTypeNode(node)) return describeType(node.trueType);
  if (ts.isTypeReferenceNode(node)) {
    const name = node.typeName.getText().replace(/^service\./, "");
    const [first, ...rest] = node.typeArguments ?? [];
    if (["pulumi.Input", "pulumi.Output", "Readonly"].includes(name) && first) return describeType(first);
    if (name === "Record") return `Record<${[first, ...rest].map((one) => (one ? describeType(one) : "")).join(", ")}>`;
    return plainNames[name] ?? name;
  }
  return node.getText().replaceAll(/\s+/g, " ").replaceAll("readonly ", "");
}

/** Names of types that say less than what they stand for. @type {Record<string, string>} */
const plainNames = {
  NamedCapabilities: "object by name",
  OrgCapabilityArgs: "object of lists by key",
  DatasetCapabilities: "object by name",
  OrgCapabilities: "object of lists by key",
  JsonObject: "object",
  QueryObject: "object",
  QueryTime: "string",
  QueryValue: "any JSON value",
  SealRecipient: "recipient",
  SealForArgs: "recipient | recipient[]",
  Per: '"commit" | "run"',
  Profile: '"documented" | "extended"',
};
