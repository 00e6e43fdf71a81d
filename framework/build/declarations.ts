import { join } from "node:path";
import * as ts from "typescript";

/** The reader of the types and doc comments of a source tree. */
export class Declarations {
  readonly root: string;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;

  /** @param entries files below the root, with all that they import */
  constructor(root: string, entries: readonly string[]) {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.root = root;
    this.program = ts.createProgram(
      entries.map((entry) => join(root, entry)),
      options,
    );
    this.checker = this.program.getTypeChecker();
  }

  /** @param file that declares or exports it */
  symbolOf(file: string, name: string): ts.Symbol {
    const source = this.program.getSourceFile(join(this.root, file));
    const module = source && this.checker.getSymbolAtLocation(source);
    const symbol = module && this.checker.tryGetMemberInModuleExports(name, module);
    if (!symbol) throw new Error(`${file} does not export ${name}`);
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  typeOf(file: string, name: string): ts.Type {
    return this.checker.getDeclaredTypeOfSymbol(this.symbolOf(file, name));
  }

  /** The type that a data function resolves to. For a generic function, this covers all its forms. */
  resultOf(file: string, name: string): ts.Type {
    const [signature] = this.checker.getTypeOfSymbol(this.symbolOf(file, name)).getCallSignatures();
    const result = signature && (this.checker.getAwaitedType(signature.getReturnType()) as ts.Type);
    if (!result) throw new Error(`${file}: ${name} is not a function`);
    return this.checker.getBaseConstraintOfType(result) ?? result;
  }

  /** A doc comment, each part on one line; "" for a part that is missing. The remarks apply only to programs in TypeScript. */
  docOf(symbol: ts.Symbol) {
    const text = oneLine(commentOf(symbol)?.comment);
    return { text, preset: this.tagOf(symbol, "default") ?? "", remarks: this.tagOf(symbol, "remarks") ?? "" };
  }

  /** The text of a tag, on one line; undefined if there is none. */
  tagOf(symbol: ts.Symbol, name: string): string | undefined {
    const tag = commentOf(symbol)?.tags?.find(({ tagName }) => tagName.text === name);
    return tag && oneLine(tag.comment);
  }

  /** A doc comment as one text for every language, with its default; undefined if there is none. */
  describe(symbol: ts.Symbol | undefined): string | undefined {
    if (!symbol) return undefined;
    const { text, preset } = this.docOf(symbol);
    return [text, preset && `Default: ${preset}.`].filter(Boolean).join(" ") || undefined;
  }
}

function commentOf({ declarations = [] }: ts.Symbol): ts.JSDoc | undefined {
  // The interface of a class only adds its outputs.
  const declaration = declarations.find(ts.isClassDeclaration) ?? declarations[0];
  return declaration && ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc);
}

const oneLine = (text: ts.JSDoc["comment"]): string =>
  (ts.getTextOfJSDocComment(text) ?? "").replaceAll(/\s+/g, " ").trim();
