// @ts-check
import ts from "typescript";
import { Declarations } from "./declarations.mjs";
import { lowerFirst, upperFirst } from "./schema.mjs";
import { fillMark, loadSource, readSource } from "./sources.mjs";

/** The file and the name of an interface or a class. @typedef {readonly [file: string, name: string]} Source */
/** By the comment that marks the place of each. @typedef {Readonly<Record<string, Source>>} Tables */

/** The tables besides those that every resource and every function has, by page. @type {Readonly<Record<string, Tables>>} */
const furtherTables = {
  "docs/reference/apiToken.md": {
    rotation: ["provider/apiToken/rotation.ts", "Rotation"],
    adopt: ["provider/apiToken/model.ts", "Adopt"],
  },
  "docs/reference/queryGate.md": { expect: ["provider/queryGate/expectation.ts", "Expectation"] },
  "docs/reference/provider.md": { arguments: ["provider/account/provider.ts", "ProviderArgs"] },
  "docs/reference/getTokens.md": { token: ["sdk/resources/tokenFields.ts", "TokenSpec"] },
  "docs/reference/queryDataset.md": {
    aggregation: ["sdk/queries/request.ts", "AggregationRequest"],
    filter: ["sdk/queries/request.ts", "Filter"],
  },
  "docs/guides/testing.md": {
    options: ["emulator/testing.ts", "EmulatorOptions"],
    emulator: ["emulator/testing.ts", "Emulator"],
  },
};

/** Functions that are on the page of another one. @type {Readonly<Record<string, string>>} */
const sharedPages = { getToken: "getTokens" };

/** @param {string} name @returns {[file: string, marked: Tables]} */
function tablesOfResource(name) {
  const noun = lowerFirst(name);
  const [args, outputs] = [`provider/${noun}/args.ts`, `provider/${noun}/resource.ts`];
  return [`docs/reference/${noun}.md`, { arguments: [args, `${name}Args`], outputs: [outputs, name] }];
}

/** @param {string} name @returns {[file: string, marked: Tables]} */
const tablesOfFunction = (name) => [
  `docs/reference/${sharedPages[name] ?? name}.md`,
  { [`arguments of ${name}`]: [`provider/lookups/${name}.ts`, `${upperFirst(name)}Args`] },
];

/** The tables of the reference, from the declarations and their doc comments. @type {import("./produce.mjs").Make} */
export async function makeReferencePages(root) {
  const declarations = Declarations.of(root);
  const { resourceDefinitions, lookups } = await loadSource(root, "provider/nouns.ts");
  const tables = [
    ...Object.keys(resourceDefinitions).map(tablesOfResource),
    ...Object.keys(lookups).map(tablesOfFunction),
    ...Object.entries(furtherTables),
  ];
  /** @type {Record<string, string>} */
  const pages = {};
  for (const [file, marked] of tables) {
    let page = pages[file] ?? (await readSource(root, file));
    for (const [mark, source] of Object.entries(marked)) page = fillMark(page, mark, tableOf(declarations, source));
    pages[file] = page;
  }
  return pages;
}

/**
 * @param {Declarations} declarations
 * @param {Source} source
 */
function tableOf(declarations, source) {
  const members = declarations.checker.getPropertiesOfType(declarations.typeOf(...source));
  const found = members.flatMap((member) => rowOf(declarations, member, source));
  const rows = [...found.filter(({ isRequired }) => isRequired), ...found.filter(({ isRequired }) => !isRequired)];
  const hasPresets = rows.some(({ preset }) => preset !== "");
  const head = ["Name", "Type", ...(hasPresets ? ["Default"] : []), "What it is"];
  const cells = rows.map(({ name, type, isRequired, preset, text }) => [
    `\`${name}\`${isRequired ? " *" : ""}`,
    `\`${type}\``,
    ...(hasPresets ? [preset] : []),
    text,
  ]);
  const lines = [head, head.map(() => "---"), ...cells.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))];
  const note = rows.some(({ isRequired }) => isRequired) ? "\n\n\\* required" : "";
  return `${lines.map((row) => `| ${row.join(" | ")} |`).join("\n")}${note}`;
}

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
