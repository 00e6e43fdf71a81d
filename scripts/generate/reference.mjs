// @ts-check
import ts from "typescript";
import { describeCapabilities, describeNeeds } from "./capabilities.mjs";
import { readExampleTabs } from "./languageExamples.mjs";
import { definitionOf, INDEX, openReader, upperFirst } from "./packageSchema.mjs";
import { fillMark, loadSource, readSource } from "./sources.mjs";

/** @typedef {import("./packageSchema.mjs").Reader} Reader */
/** @typedef {InstanceType<Reader["Types"]>} Types */
/** The file and the name of an interface or a class. @typedef {readonly [file: string, name: string]} Source */
/** By the comment that marks the place of each. @typedef {Readonly<Record<string, Source>>} Tables */

const PAGE = "docs/reference/resources.md";

/** The tables besides those that every resource and every function has, by page. @type {Readonly<Record<string, Tables>>} */
const furtherTables = {
  [PAGE]: {
    rotation: ["provider/nouns/apiToken/definition.ts", "Rotation"],
    adopt: ["provider/nouns/apiToken/definition.ts", "Adopt"],
    expect: ["provider/nouns/queryGate/bounds.ts", "Expectation"],
    "arguments of Provider": ["provider/shared/account/provider.ts", "ProviderArgs"],
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
  const reader = await openReader(root);
  const { resourceDefinitions, lookups } = await loadSource(root, "provider/eventDatasets.ts");
  const { operations } = await loadSource(root, "sdk/operations.ts");
  const { capabilityRules } = await loadSource(root, "sdk/resources/capabilityRules.ts");
  const exampleOf = await readExampleTabs(root);
  /** @type {Record<string, string>} */
  const marks = {
    ...tablesOf(reader, furtherTables[PAGE] ?? {}),
    capabilities: describeCapabilities(capabilityRules),
  };
  marks["example of Provider"] = exampleOf("Provider");
  for (const [name, { properties, operations: used }] of Object.entries(resourceDefinitions)) {
    marks[`example of ${name}`] = exampleOf(name);
    marks[`needs of ${name}`] = describeNeeds(operations, Object.values(used ?? {}));
    const file = definitionOf(name);
    // Every argument is an output, too: the others have rows, and those that can differ from their arguments.
    const isMade = (/** @type {Row} */ { name: key }) =>
      properties[key]?.kind !== undefined || properties[key]?.computed;
    const names = Object.keys(properties);
    const inOrder = (/** @type {Row} */ a, /** @type {Row} */ b) =>
      Number(b.isRequired) - Number(a.isRequired) || names.indexOf(a.name) - names.indexOf(b.name);
    marks[`arguments of ${name}`] = toTable(rowsOf(reader, [file, `${name}Args`]).sort(inOrder));
    const outputs = rowsOf(reader, [file, `${name}Outputs`]).filter(isMade);
    marks[`outputs of ${name}`] = toTable(outputs.sort(inOrder));
  }
  const functions = ["| Function | What it does |", "| --- | --- |"];
  let page = await readSource(root, PAGE);
  for (const [name, { operations: used }] of Object.entries(lookups)) {
    const { text } = reader.declarations.docOf(reader.declarations.symbolOf(INDEX, name));
    functions.push(`| [${name}](#${name.toLowerCase()}) | ${text.replace(/\. .*|\.$/, "")} |`);
    const args = toTable(rowsOf(reader, ["provider/lookups/index.ts", `${upperFirst(name)}Args`]));
    const needs = describeNeeds(operations, used);
    marks[name] = [`## ${name}`, text, exampleOf(name), needs, `### Arguments of ${name}`, args].join("\n\n");
    if (!page.includes(`<!-- ${name} -->`)) page += `\n<!-- ${name} -->\n\n<!-- end -->\n`;
  }
  marks.functions = functions.join("\n");
  const testing = "docs/guides/testing.md";
  for (const name of Object.keys(resourceDefinitions)) {
    const text = reader.declarations.describe(reader.declarations.symbolOf(INDEX, name));
    if (!page.includes(`\n## ${name}\n`)) page = page.replace("## Provider\n", (next) => sectionOf(name, text) + next);
  }
  return {
    [PAGE]: fillMarks(page, marks),
    [testing]: fillMarks(await readSource(root, testing), tablesOf(reader, furtherTables[testing] ?? {})),
  };
}

/** The section of a resource that has none yet. @param {string} name @param {string | undefined} text */
function sectionOf(name, text) {
  const place = (/** @type {string} */ mark) => `<!-- ${mark} of ${name} -->\n<!-- end -->`;
  const titled = (/** @type {string} */ mark) => `### ${upperFirst(mark)} of ${name}\n\n${place(mark)}`;
  const parts = [place("example"), place("needs"), titled("arguments"), titled("outputs")];
  return [`## ${name}`, text, ...parts, ""].join("\n\n");
}

/** @param {string} page @param {Readonly<Record<string, string>>} marks */
const fillMarks = (page, marks) =>
  Object.entries(marks).reduce((text, [mark, content]) => fillMark(text, mark, content), page);

/** @param {Reader} reader @param {Tables} tables */
const tablesOf = (reader, tables) =>
  Object.fromEntries(Object.entries(tables).map(([mark, source]) => [mark, toTable(rowsOf(reader, source))]));

/**
 * @typedef {{ name: string, type: string, isRequired: boolean, preset: string, text: string }} Row
 * @param {Reader} reader
 * @param {Source} source
 */
function rowsOf(reader, source) {
  const { declarations } = reader;
  const members = declarations.checker.getPropertiesOfType(declarations.typeOf(...source));
  const found = members.flatMap((member) => rowOf(reader, member, source));
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
const requiredInExtended = /Axiom requires it/;

/**
 * A row for a field that users see; none for a method, or for what is inherited from a package.
 * @param {Reader} reader
 * @param {ts.Symbol} symbol
 * @param {Source} source
 */
function rowOf({ declarations, Types, any }, symbol, [file, owner]) {
  const member = symbol.declarations?.[0];
  const type = declarations.checker.getTypeOfSymbol(symbol);
  const isMethod = type.getCallSignatures().length > 0 && symbol.flags & ts.SymbolFlags.Method;
  if (!member || isMethod || declarations.program.isSourceFileFromExternalLibrary(member.getSourceFile())) return [];
  const isHidden = ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
  if (isHidden || symbol.getJsDocTags().some(({ name }) => name === "internal")) return [];
  const { text: common, preset, remarks } = declarations.docOf(symbol);
  const text = [common, remarks].filter(Boolean).join(" ");
  if (text === "") throw new Error(`${file}: ${owner}.${symbol.name} has no doc comment`);
  const isRequired = owner.endsWith("Args") && !(symbol.flags & ts.SymbolFlags.Optional);
  const types = new Types(
    declarations,
    (name) => name,
    () => false,
  );
  const spec = types.specOf(type, symbol.name);
  const described = spec.$ref === any.$ref ? { oneOf: types.unionOf(type, symbol.name) } : spec;
  return [{ name: symbol.name, type: describeSpec(types, described), isRequired, preset, text }];
}

/**
 * A type as a reader wants it: without what every argument may be, an output or left out.
 * @param {Types} types
 * @param {import("../../framework/build/types.js").Spec} spec
 * @returns {string}
 */
function describeSpec(types, { type, $ref, items, additionalProperties, oneOf }) {
  if (oneOf) return oneOf.map((one) => describeSpec(types, one)).join(" | ");
  if (items) return `${describeSpec(types, items)}[]`;
  if (additionalProperties) return `{ [name]: ${describeSpec(types, additionalProperties)} }`;
  if (type) return type;
  const name = $ref?.slice("#/types/".length) ?? "";
  const known = types.named.get(name);
  if (known && "enum" in known) return known.enum.map(({ value }) => `"${value}"`).join(" | ");
  const own = name.slice(name.lastIndexOf(":") + 1);
  // A type without a name of its own has that of its member.
  return known ? (/^[a-z]/.test(own) ? "object" : own) : "any";
}
