import { join, sep } from "node:path";
import { expect, test } from "@jest/globals";
import * as ts from "typescript";
import { lookups, resourceDefinitions } from "../../provider/nouns";
import { openProgram, root } from "./compiler";

// A program must be able to name the type of everything that it passes or gets: its own components declare such types.

const program = openProgram();
const checker = program.getTypeChecker();
const index = program.getSourceFile(join(root, "provider/index.ts")) as ts.SourceFile;
const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(index) as ts.Symbol).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol] as const;
  }),
);
const exportedSymbols = new Set(exported.values());

const isOwn = (symbol: ts.Symbol | undefined): symbol is ts.Symbol => {
  const [declaration] = symbol?.declarations ?? [];
  return declaration !== undefined && !declaration.getSourceFile().fileName.includes(`${sep}node_modules${sep}`);
};

/** The names of own types that a type consists of and that no program can import. */
function findUnnamed(type: ts.Type): string[] {
  const { aliasSymbol, aliasTypeArguments = [] } = type;
  if (aliasSymbol !== undefined && isOwn(aliasSymbol))
    return exportedSymbols.has(aliasSymbol) ? [] : [aliasSymbol.name];
  if (aliasSymbol !== undefined) return aliasTypeArguments.flatMap(findUnnamed);
  if (type.isUnionOrIntersection()) return type.types.flatMap(findUnnamed);
  const isNamed = type.isClassOrInterface() && isOwn(type.symbol) && !exportedSymbols.has(type.symbol);
  const inner = checker.getTypeArguments(type as ts.TypeReference) ?? [];
  return [...(isNamed ? [type.symbol.name] : []), ...inner.flatMap(findUnnamed)];
}

const typeOf = (name: string): ts.Type => {
  const symbol = exported.get(name);
  if (symbol === undefined) throw new Error(`provider/index.ts does not export ${name}`);
  return checker.getTypeOfSymbolAtLocation(symbol, index);
};

const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

test.each([...Object.keys(resourceDefinitions), ...Object.keys(lookups)])(
  "programs can import the arguments of %s",
  (name) => {
    expect([...exported.keys()]).toContain(`${upperFirst(name)}Args`);
  },
);

test.each(Object.keys(lookups))("programs can import the type of the result of %s", (name) => {
  const results = typeOf(name)
    .getCallSignatures()
    .map((signature) => signature.getReturnType());
  expect(results).not.toEqual([]);
  expect(results.flatMap(findUnnamed)).toEqual([]);
});

test.each(Object.keys(resourceDefinitions))("programs can import the types of the outputs of %s", (name) => {
  const [instance] = typeOf(name)
    .getConstructSignatures()
    .map((signature) => signature.getReturnType());
  const outputs = instance?.getProperties().filter(({ declarations = [] }) => {
    const [declaration] = declarations;
    const isPublic =
      declaration && (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier) === 0;
    return isPublic && !declaration.getSourceFile().fileName.includes(`${sep}node_modules${sep}`);
  });
  expect(outputs).not.toEqual([]);
  const unnamed = outputs?.flatMap((output) =>
    findUnnamed(checker.getTypeOfSymbolAtLocation(output, index)).map((type) => `${output.name}: ${type}`),
  );
  expect(unnamed).toEqual([]);
});
