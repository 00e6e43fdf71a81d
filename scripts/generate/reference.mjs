// @ts-check
import ts from "typescript";
import { Declarations } from "./declarations.mjs";
import { lowerFirst, upperFirst } from "./schema.mjs";
import { fillMark, loadSource, readSource } from "./sources.mjs";
import { ANY, Types } from "./types.mjs";

/** The file and the name of an interface, and its members if not all. @typedef {readonly [file: string, name: string, only?: readonly string[]]} Source */
/** By the comment that marks the place of each. @typedef {Readonly<Record<string, Source>>} Tables */

/** The tables besides those that every resource and every function has, by page. @type {Readonly<Record<string, Tables>>} */
const furtherTables = {
  "docs/reference/apiToken.md": {
    rotation: ["provider/apiToken/definition.ts", "Rotation"],
    adopt: ["provider/apiToken/definition.ts", "Adopt"],
  },
  "docs/reference/queryGate.md": { expect: ["provider/queryGate/bounds.ts", "Expectation"] },
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

/**
 * Every argument is an output, too, so the outputs are those that nobody declares.
 * @param {import("../../framework/definition.js").ResourceDefinition} definition
 * @returns {[file: string, marked: Tables]}
 */
function tablesOfResource({ name, properties }) {
  const noun = lowerFirst(name);
  const file = `provider/${noun}/definition.ts`;
  const made = Object.keys(properties).filter((key) => ["output", "derived"].includes(properties[key]?.kind ?? ""));
  const outputs = /** @type {const} */ ([file, `${name}Outputs`, made]);
  return [`docs/reference/${noun}.md`, { arguments: [file, `${name}Args`], outputs }];
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
    ...Object.values(resourceDefinitions).map(tablesOfResource),
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
  const [file, owner, only] = source;
  const all = declarations.checker.getPropertiesOfType(declarations.typeOf(file, owner));
  const members = all.filter(({ name }) => only?.includes(name) ?? true);
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
  const type = declarations.checker.getTypeOfSymbol(symbol);
  if (!member || type.getCallSignatures().length > 0) return [];
  if (declarations.program.isSourceFileFromExternalLibrary(member.getSourceFile())) return [];
  const isHidden = ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
  if (isHidden || symbol.getJsDocTags().some(({ name }) => name === "internal")) return [];
  const { text: common, preset, remarks } = declarations.docOf(symbol);
  const text = [common, remarks].filter(Boolean).join(" ");
  if (text === "") throw new Error(`${file}: ${owner}.${symbol.name} has no doc comment`);
  const isRequired = owner.endsWith("Args") && !(symbol.flags & ts.SymbolFlags.Optional);
  const types = new Types(declarations);
  const spec = types.specOf(type, symbol.name);
  const described = spec.$ref === ANY ? { oneOf: types.unionOf(symbol) } : spec;
  return [{ name: symbol.name, type: describeSpec(types, described), isRequired, preset, text }];
}

/**
 * A type as a reader wants it: without what every argument may be, an output or left out.
 * @param {Types} types
 * @param {import("./types.mjs").Spec} spec
 * @returns {string}
 */
function describeSpec(types, { type, $ref, items, additionalProperties, oneOf }) {
  if (oneOf) return oneOf.map((one) => describeSpec(types, one)).join(" | ");
  if (items?.$ref === ANY) return "list";
  if (items) return `${describeSpec(types, items)}[]`;
  if (additionalProperties?.$ref === ANY) return "object by name";
  if (additionalProperties) return `object of ${describeSpec(types, additionalProperties)} by name`;
  if (type) return type;
  const name = $ref?.slice("#/types/".length) ?? "";
  const known = types.named.get(name);
  if (known && "enum" in known) return known.enum.map(({ value }) => `"${value}"`).join(" | ");
  const own = name.slice(name.lastIndexOf(":") + 1);
  // A type without a name of its own has that of its member.
  return known ? (/^[a-z]/.test(own) ? "object" : own) : "any";
}
