import { join, sep } from "node:path";
import { expect, test } from "@jest/globals";
import * as ts from "typescript";
import type { Manual } from "../../cli/manual";
import { type CommandName, manuals } from "../../cli/manuals";

// The parser takes every option that a manual declares. One that no code reads would be accepted, and do nothing.

const root = join(__dirname, "../..");
const folder = join(root, "cli") + sep;
const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram([join(folder, "main.ts")], options);
const checker = program.getTypeChecker();

/** The members that the code of the commands reads, by where they are declared. */
const read = new Set<ts.Declaration>();
/** The names of those that the code declares outside of the manuals: a part of several commands has a type of its own. */
const readNames = new Set<string>();

function noteRead(type: ts.Type, name: string): void {
  for (const declaration of checker.getPropertyOfType(type, name)?.declarations ?? []) {
    read.add(declaration);
    const { fileName } = declaration.getSourceFile();
    if (fileName.startsWith(folder) && !fileName.includes(`${sep}manuals${sep}`)) readNames.add(name);
  }
}

const textsOf = (type: ts.Type): string[] =>
  (type.isUnion() ? type.types : [type]).flatMap((one) => (one.isStringLiteral() ? [one.value] : []));

function visit(node: ts.Node): void {
  if (ts.isPropertyAccessExpression(node)) noteRead(checker.getTypeAtLocation(node.expression), node.name.text);
  if (ts.isElementAccessExpression(node)) {
    const names = textsOf(checker.getTypeAtLocation(node.argumentExpression));
    for (const name of names) noteRead(checker.getTypeAtLocation(node.expression), name);
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = node.propertyName ?? node.name;
    if (ts.isIdentifier(name) || ts.isStringLiteral(name)) noteRead(checker.getTypeAtLocation(node.parent), name.text);
  }
  ts.forEachChild(node, visit);
}

for (const source of program.getSourceFiles()) if (source.fileName.startsWith(folder)) visit(source);

const index = checker.getSymbolAtLocation(program.getSourceFile(join(folder, "manuals/index.ts")) as ts.Node);
const declared = checker.getExportsOfModule(index as ts.Symbol).find(({ name }) => name === "manuals");

const memberOf = (type: ts.Type, name: string): ts.Type =>
  checker.getTypeOfSymbol(checker.getPropertyOfType(type, name) as ts.Symbol);

test.each(Object.entries(manuals) as [CommandName, Manual][])("every option of %s is read", (name, { flags }) => {
  const type = memberOf(memberOf(checker.getTypeOfSymbol(declared as ts.Symbol), name), "flags");
  const isRead = (flag: string) =>
    readNames.has(flag) || checker.getPropertyOfType(type, flag)?.declarations?.some((place) => read.has(place));
  expect(Object.keys(flags).filter((flag) => !isRead(flag))).toEqual([]);
});
