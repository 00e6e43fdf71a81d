import { join, relative } from "node:path";
import * as ts from "typescript";

export const root = join(__dirname, "../..");

/** A place where a field is declared: an interface, a class, or an object (by its variable, and a member of that). */
export type Place = readonly [file: string, declaration: string, member?: string];

/** A text to put at the beginning of a place. */
export interface Edit {
  readonly place: Place;
  readonly text: string;
}

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  root,
);

/** Files that no edit changes, which every compilation shares. */
const parsed = new Map<string, ts.SourceFile>();

/** The last compilation: the next one takes over where its imports lead. */
let last: ts.Program | undefined;

const roots = ["provider/index.ts", "provider/nouns.ts", "audit/index.ts", "audit/pack/policies.ts"];

function compile(host: ts.CompilerHost, isEdited: (path: string) => boolean): ts.Program {
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...more) => {
    if (isEdited(path)) return getSourceFile(path, ...more);
    const source = parsed.get(path) ?? getSourceFile(path, ...more);
    if (source) parsed.set(path, source);
    return source;
  };
  const paths = roots.map((file) => join(root, file));
  last = ts.createProgram(paths, { ...options, noEmit: true }, host, last);
  return last;
}

/** The project as it is. */
export const openProgram = (): ts.Program => compile(ts.createCompilerHost(options), () => false);

/** Where the members of a declaration begin. */
function findBeginning(source: ts.SourceFile, [file, declaration, member]: Place): number {
  let found: ts.Node | undefined;
  const isNamed = (node: ts.Node): node is ts.Declaration =>
    ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isVariableDeclaration(node);
  const findNamed = (node: ts.Node): void => {
    if (isNamed(node) && (node as ts.NamedDeclaration).name?.getText(source) === declaration) found ??= node;
    else ts.forEachChild(node, findNamed);
  };
  const findObject = (node: ts.Node): ts.ObjectLiteralExpression | undefined =>
    ts.isObjectLiteralExpression(node) ? node : ts.forEachChild(node, findObject);
  findNamed(source);
  if (found && ts.isVariableDeclaration(found)) {
    const object = findObject(found);
    const of = (node: ts.ObjectLiteralElementLike) => node.name?.getText(source) === member;
    found = member === undefined ? object : (object?.properties.find(of) ?? undefined);
    if (found && !ts.isObjectLiteralExpression(found)) found = findObject(found);
  }
  if (!found) throw new Error(`${file} does not declare ${declaration} ${member ?? ""}`);
  return source.text.indexOf("{", (found as ts.ClassDeclaration).heritageClauses?.end ?? found.getStart(source)) + 1;
}

/**
 * The errors of the project once it is edited: "file: text", and the line of the program. The compiler takes seconds for
 * the whole project, and much less if it checks only some files.
 */
export function findErrors(
  edits: readonly Edit[],
  { appended = {}, files }: { appended?: Readonly<Record<string, string>>; files?: readonly string[] } = {},
): string[] {
  const texts = new Map<string, { source: ts.SourceFile; insertions: [at: number, text: string][] }>();
  const open = (file: string) => {
    const path = join(root, file);
    const text = ts.sys.readFile(path) ?? "";
    const known = texts.get(path) ?? {
      source: ts.createSourceFile(path, text, options.target ?? 99, true),
      insertions: [],
    };
    texts.set(path, known);
    return known;
  };
  for (const { place, text } of edits) {
    const { source, insertions } = open(place[0]);
    insertions.push([findBeginning(source, place), text]);
  }
  for (const [file, text] of Object.entries(appended)) {
    const { source, insertions } = open(file);
    insertions.push([source.text.length, text]);
  }
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (path) => {
    const edited = texts.get(path);
    if (!edited) return readFile(path);
    const lastFirst = [...edited.insertions].sort(([a], [b]) => b - a);
    return lastFirst.reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), edited.source.text);
  };
  const program = compile(host, (path) => texts.has(path));
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes("/node_modules/"));
  const checked = files ? own.filter(({ fileName }) => files.includes(relative(root, fileName))) : own;
  return checked.flatMap((source) =>
    [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start = 0 }) => {
        const { line } = source.getLineAndCharacterOfPosition(start);
        const [from, to] = [line, line + 1].map((number) => source.getLineStarts()[number] ?? source.text.length);
        const text = ts.flattenDiagnosticMessageText(messageText, "\n");
        return `${relative(root, source.fileName)}: ${text}\n${source.text.slice(from, to)}`;
      },
    ),
  );
}
