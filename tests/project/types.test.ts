import { join, sep } from "node:path";
import { expect, test } from "@jest/globals";
import * as ts from "typescript";
import { membersOf, type ResourceDefinition } from "../../framework/definition";
import { lookups, resourceDefinitions } from "../../provider/eventDatasets";

// The declaration files that users have. A program must be able to name the type of everything that it passes or gets, because
// its own components declare such types; and an editor shows the doc comment of each.

const declarations = join(__dirname, "../../dist/provider/index.d.ts");
const options = { strict: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, types: [] };
const clientDeclarations = join(__dirname, "../../dist/sdk/index.d.ts");
const program = ts.createProgram([declarations, clientDeclarations], options);
const checker = program.getTypeChecker();
const index = program.getSourceFile(declarations) as ts.SourceFile;
const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(index) as ts.Symbol).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol] as const;
  }),
);
const exportedSymbols = new Set(exported.values());

const isOwn = (symbol: ts.Symbol | undefined): boolean => {
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
  if (symbol === undefined) throw new Error(`the package does not export ${name}`);
  return checker.getTypeOfSymbolAtLocation(symbol, index);
};

const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

test.each([...Object.keys(resourceDefinitions), ...Object.keys(lookups)])(
  "programs can import the arguments of %s",
  (name) => {
    expect([...exported.keys()]).toContain(`${upperFirst(name)}Args`);
  },
);

test.each(Object.keys(lookups).flatMap((name) => [name, `${name}Output`]))(
  "an editor shows the doc comment of %s",
  (name) => expect(exported.get(name)?.getDocumentationComment(checker).length).toBe(1),
);

test.each(Object.keys(lookups))("programs can import the type of the result of %s", (name) => {
  const results = typeOf(name)
    .getCallSignatures()
    .map((signature) => signature.getReturnType());
  expect(results).not.toEqual([]);
  expect(results.flatMap(findUnnamed)).toEqual([]);
  const whole = results.flatMap((type) => checker.getTypeArguments(type as ts.TypeReference));
  const members = whole
    .flatMap((type) => type.getProperties())
    .map((member) => checker.getTypeOfSymbolAtLocation(member, index));
  expect([members.length > 0, members.flatMap(findUnnamed)]).toEqual([true, []]);
});

const instanceOf = (name: string) => typeOf(name).getConstructSignatures()[0]?.getReturnType();

/** The outputs of a resource, with their declarations. */
const outputsOf = (name: string, definition: ResourceDefinition) =>
  membersOf(definition).map((key) => [key, instanceOf(name)?.getProperty(key) as ts.Symbol] as const);

/** The members of the object that a resource or a provider is constructed with. */
function argumentsOf(name: string) {
  const parameter = typeOf(name).getConstructSignatures()[0]?.getParameters()[1] as ts.Symbol;
  const declared = checker.getTypeOfSymbolAtLocation(parameter, index);
  // Arguments and options of a resource are the elements of a tuple.
  const [given = declared] = checker.isTupleType(declared)
    ? checker.getTypeArguments(declared as ts.TypeReference)
    : [];
  const type = checker.getNonNullableType(given);
  return checker.getPropertiesOfType(type).map((symbol) => [symbol.name, symbol] as const);
}

test.each(Object.entries(resourceDefinitions))(
  "programs can import the types of the outputs of %s",
  (name, definition) => {
    const unnamed = outputsOf(name, definition).flatMap(([key, output]) =>
      findUnnamed(checker.getTypeOfSymbolAtLocation(output, index)).map((type) => `${key}: ${type}`),
    );
    expect(unnamed).toEqual([]);
  },
);

test.each(["Provider", ...Object.keys(resourceDefinitions)])("an editor shows the doc comments of %s", (name) => {
  const definition = resourceDefinitions[name as keyof typeof resourceDefinitions];
  const members = [...argumentsOf(name), ...(definition ? outputsOf(name, definition) : [])];
  expect(members.length).toBeGreaterThan(5);
  const bare = members.filter(([, symbol]) => symbol.getDocumentationComment(checker).length === 0);
  expect(bare.map(([member]) => member)).toEqual([]);
});

const isPublic = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.every(
    (one) => (ts.getCombinedModifierFlags(one) & ts.ModifierFlags.NonPublicAccessibilityModifier) === 0,
  );

test("programs can import the type of every resource of the client and of what its calls return", () => {
  const client = checker.getSymbolAtLocation(program.getSourceFile(clientDeclarations) as ts.Node) as ts.Symbol;
  const names = new Map(checker.getExportsOfModule(client).map((symbol) => [symbol.name, symbol]));
  const resources = checker.getDeclaredTypeOfSymbol(names.get("EventDatasets") as ts.Symbol);
  const types = resources.getProperties().flatMap((property) => {
    const resource = checker.getTypeOfSymbol(property);
    const calls = resource
      .getProperties()
      .filter(isPublic)
      .flatMap((call) => checker.getTypeOfSymbol(call).getCallSignatures());
    return resource.isClass() ? [resource, ...calls.map((call) => call.getReturnType())] : [];
  });
  const unnamed = types.flatMap(findUnnamed).filter((name) => !names.has(name));
  expect([types.length > 10, unnamed]).toEqual([true, []]);
});
