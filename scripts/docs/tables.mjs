// @ts-check
// The tables of the reference pages, from the docstrings of the code: `npm run docs` writes them, and a test compares.
import fs from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { tables } from "./sources.mjs";

/** @typedef {import("./sources.mjs").Source} Source */
/** @typedef {{ name: string, type: string, optional: boolean, text: string, preset: string }} Member */

/**
 * Every page with its tables as they must be.
 * @param {string} root
 * @returns {Promise<{ file: string, written: string, wanted: string }[]>}
 */
export function referencePages(root) {
  return Promise.all(
    Object.entries(tables).map(async ([file, marked]) => {
      const written = await fs.readFile(path.join(root, file), "utf8");
      let wanted = written;
      for (const [mark, sources] of Object.entries(marked))
        wanted = fill(wanted, mark, await tableOf(root, sources), file);
      return { file, written, wanted };
    }),
  );
}

/** @param {string} text @param {string} mark @param {string} table @param {string} file */
function fill(text, mark, table, file) {
  const place = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- end -->)`);
  if (!place.test(text)) throw new Error(`${file} has no place for the table "${mark}"`);
  return text.replace(place, (_, start, end) => `${start}\n${table}\n\n${end}`);
}

/** @param {string} root @param {Source[]} sources */
async function tableOf(root, sources) {
  /** @type {Map<string, Member>} */
  const members = new Map();
  for (const [file, symbol] of sources)
    for (const member of await readMembers(path.join(root, file), symbol)) members.set(member.name, member);
  const rows = [...members.values()];
  const hasPresets = rows.some(({ preset }) => preset !== "");
  const head = ["Name", "Type", ...(hasPresets ? ["Default"] : []), "What it is"];
  const cells = rows.map(({ name, type, optional, text, preset }) => [
    `\`${name}\`${optional ? "" : " *"}`,
    `\`${type}\``,
    ...(hasPresets ? [preset] : []),
    text,
  ]);
  const note = rows.some(({ optional }) => !optional) ? "\n\n\\* required" : "";
  return `${layOut([head, ...cells.map((line) => line.map((cell) => cell.replaceAll("|", "\\|")))])}${note}`;
}

/** A table as the formatter of the project lays it out. @param {string[][]} rows the first is the head */
export function layOut(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  lines.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  return lines.join("\n");
}

/** @param {string} file @param {string} symbol of an interface or a class */
async function readMembers(file, symbol) {
  const source = ts.createSourceFile(file, await fs.readFile(file, "utf8"), ts.ScriptTarget.ESNext, true);
  const found = source.statements.find(
    /** @returns {statement is ts.InterfaceDeclaration | ts.ClassDeclaration} */
    (statement) =>
      (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === symbol,
  );
  if (!found) throw new Error(`${file} has no ${symbol}`);
  return [...found.members].flatMap((member) => readMember(member, ts.isClassDeclaration(found)));
}

const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword];

/**
 * @param {ts.ClassElement | ts.TypeElement} member
 * @param {boolean} ofClass
 * @returns {Member[]}
 */
function readMember(member, ofClass) {
  const isField =
    ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member);
  if (!isField || !ts.isIdentifier(member.name) || !member.type) return [];
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  if (modifiers.some(({ kind }) => hidden.includes(kind))) return [];
  const docs = ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc);
  const preset = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default");
  if (docs === undefined) throw new Error(`${member.name.text} has no docstring`);
  if (docs.tags?.some(({ tagName }) => tagName.text === "internal")) return [];
  return [
    {
      name: member.name.text,
      type: describeType(member.type),
      optional: ofClass || member.questionToken !== undefined,
      text: oneLine(ts.getTextOfJSDocComment(docs.comment)),
      preset: oneLine(ts.getTextOfJSDocComment(preset?.comment)),
    },
  ];
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
    const name = node.typeName.getText();
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

/** @param {string | undefined} text */
const oneLine = (text) => (text ?? "").replaceAll(/\s+/g, " ").trim();
