// @ts-check
import path from "node:path";
import ts from "typescript";

/** The one reader of the types and doc comments of the tree. */
export class Declarations {
  /** @type {Map<string, Declarations>} */
  static #opened = new Map();

  /**
   * Several generators read the same tree, and the compiler takes seconds to open it.
   * @param {string} root
   */
  static of(root) {
    const opened = Declarations.#opened.get(root) ?? new Declarations(root);
    Declarations.#opened.set(root, opened);
    return opened;
  }

  /** @param {string} root */
  constructor(root) {
    const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const entries = ["provider/index.ts", "emulator/testing.ts"].map((entry) => path.join(root, entry));
    this.root = root;
    this.program = ts.createProgram(entries, options);
    this.checker = this.program.getTypeChecker();
  }

  /**
   * @param {string} file that declares or exports it
   * @param {string} name
   */
  symbolOf(file, name) {
    const source = this.program.getSourceFile(path.join(this.root, file));
    const module = source && this.checker.getSymbolAtLocation(source);
    const symbol = module && this.checker.tryGetMemberInModuleExports(name, module);
    if (!symbol) throw new Error(`${file} does not export ${name}`);
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /**
   * @param {string} file
   * @param {string} name
   */
  typeOf(file, name) {
    return this.checker.getDeclaredTypeOfSymbol(this.symbolOf(file, name));
  }

  /**
   * A doc comment, each part on one line; "" for a part that is missing. The remarks are about programs in TypeScript only.
   * @param {ts.Symbol} symbol
   */
  docOf(symbol) {
    const text = oneLine(commentOf(symbol)?.comment);
    return { text, preset: this.tagOf(symbol, "default") ?? "", remarks: this.tagOf(symbol, "remarks") ?? "" };
  }

  /**
   * The text of a tag, on one line; undefined if there is none.
   * @param {ts.Symbol} symbol
   * @param {string} name
   */
  tagOf(symbol, name) {
    const tag = commentOf(symbol)?.tags?.find(({ tagName }) => tagName.text === name);
    return tag && oneLine(tag.comment);
  }

  /**
   * A doc comment as one text for every language, with its default; undefined if there is none.
   * @param {ts.Symbol | undefined} symbol
   */
  describe(symbol) {
    if (!symbol) return undefined;
    const { text, preset } = this.docOf(symbol);
    return [text, preset && `Default: ${preset}.`].filter(Boolean).join(" ") || undefined;
  }
}

/** @param {ts.Symbol} symbol */
function commentOf(symbol) {
  // A setter has comments for those who work on the code.
  const { declarations = [] } = symbol;
  // The interface of a class only adds its outputs.
  const declaration =
    declarations.find(ts.isClassDeclaration) ?? declarations.find((one) => !ts.isSetAccessorDeclaration(one));
  return declaration && ts.getJSDocCommentsAndTags(declaration).findLast(ts.isJSDoc);
}

/** @param {ts.JSDoc["comment"]} text */
const oneLine = (text) => (ts.getTextOfJSDocComment(text) ?? "").replaceAll(/\s+/g, " ").trim();
