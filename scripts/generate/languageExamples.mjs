// @ts-check
import { readSource } from "./sources.mjs";

/** The resource of the token that other parts use. */
const TOKEN = "ApiToken";

/** The folder of one program a language. Each uses every resource and calls every function. */
const PROGRAMS = "tests/native/languages/programs";

/** Needed by a program in Go that reads the config. */
const GO_CONFIG = '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"';

const FIRST_LINES = {
  typescript: [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as eventDatasets from "pulumi-event-datasets-native";',
    "",
  ],
  python: ["import pulumi", "import pulumi_event_datasets as event_datasets", ""],
  go: [
    "package main",
    "",
    "import (",
    '\t"pulumi-event-datasets-go/eventdatasets"',
    "",
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    GO_CONFIG,
    ")",
    "",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
  ],
  yaml: [],
};

/** @typedef {keyof typeof FIRST_LINES} Language */

/** @type {Readonly<Record<Language, { file: string, indent: string, last: readonly string[] }>>} */
const LANGUAGES = {
  typescript: { file: "index.ts", indent: "", last: [] },
  python: { file: "__main__.py", indent: "", last: [] },
  go: { file: "main.go", indent: "\t\t", last: ["\t\treturn nil", "\t})", "}"] },
  yaml: { file: "Pulumi.yaml", indent: "", last: [] },
};

/** The parts of a YAML program, in the order of an example. */
const YAML_SECTIONS = ["resources", "variables"];

/**
 * The examples of every resource and function, as the descriptions of a schema hold them.
 * @param {string} root
 */
export async function readExamples(root) {
  const exampleIn = await readExamplePrograms(root);
  /** @param {string} name */
  return (name) => {
    const blocks = languages.map((language) => `\`\`\`${language}\n${exampleIn(language, name)}\n\`\`\``);
    return [
      "{{% examples %}}",
      "## Example Usage",
      "{{% example %}}",
      ...blocks,
      "{{% /example %}}",
      "{{% /examples %}}",
    ].join("\n\n");
  };
}

const languages = /** @type {Language[]} */ (Object.keys(LANGUAGES));

/**
 * The program of an example in one language. The examples are parts of programs that the tests run: the lines between the
 * comments `begin NAME` and `end NAME`.
 * @param {string} root
 */
async function readExamplePrograms(root) {
  const texts = await Promise.all(languages.map((language) => readProgram(root, language)));
  /** @param {Language} language @param {string} name */
  return (language, name) => exampleOf(language, texts[languages.indexOf(language)] ?? "", name);
}

/**
 * An example as a page of the site shows it: a tab for each language, TypeScript with the npm package.
 * @param {string} root
 */
export async function readExampleTabs(root) {
  const exampleIn = await readExamplePrograms(root);
  /** @param {string} name */
  return (name) =>
    [
      `\`\`\`ts [TypeScript]\n${withNpmPackage(exampleIn("typescript", name))}\n\`\`\``,
      `\`\`\`python [Python]\n${exampleIn("python", name)}\n\`\`\``,
      `\`\`\`go [Go]\n${exampleIn("go", name)}\n\`\`\``,
      `\`\`\`yaml [YAML]\n${exampleIn("yaml", name)}\n\`\`\``,
    ].join("\n\n");
}

/** The SDK of the plugin and the npm package have the same names. @param {string} program */
function withNpmPackage(program) {
  const names = [...new Set(program.match(/(?<=\beventDatasets\.)\w+/g))].sort();
  return program
    .replace(FIRST_LINES.typescript[1] ?? "", `import { ${names.join(", ")} } from "pulumi-event-datasets";`)
    .replaceAll("eventDatasets.", "");
}

/**
 * @param {string} root
 * @param {Language} language
 */
export const readProgram = (root, language) => readSource(root, `${PROGRAMS}/${LANGUAGES[language].file}`);

/**
 * The part of a program that is about one resource or function.
 * @param {string} program
 * @param {string} name
 */
export function partOf(program, name) {
  const lines = program.split("\n");
  const isMark = (/** @type {string} */ line, /** @type {string} */ word) =>
    new RegExp(`^\\s*(#|//) ${word} ${name}$`).test(line);
  const [begin, end] = ["begin", "end"].map((word) => lines.findIndex((line) => isMark(line, word)));
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`a program of ${PROGRAMS} has no lines between "begin ${name}" and "end ${name}"`);
  return lines.slice(begin + 1, end);
}

/**
 * A whole program: a part that uses the token `ci` follows the part that declares it.
 * @param {Language} language
 * @param {string} program
 * @param {string} name
 */
function exampleOf(language, program, name) {
  const { last } = LANGUAGES[language];
  const isUser = name !== TOKEN && /\bci\b/.test(partOf(program, name).join("\n"));
  const names = isUser ? [TOKEN, name] : [name];
  if (language === "yaml") return yamlExampleOf(program, names);
  const lines = names.flatMap((one, index) => [...(index > 0 ? [""] : []), ...partOf(program, one)]);
  const first = FIRST_LINES[language].filter((line) => {
    if (line === GO_CONFIG) return uses(lines, "config");
    return !/^import.* pulumi( |$)|^import pulumi$/.test(line) || uses(lines, "pulumi");
  });
  return [...first, ...lines, ...last].join("\n").replace(/^\n+/, "");
}

/**
 * @param {string} program
 * @param {readonly string[]} names
 */
function yamlExampleOf(program, names) {
  const sections = Map.groupBy(names, (name) => sectionOf(program, name));
  const lines = [...sections].flatMap(([section, members]) => [
    `${section}:`,
    ...members.flatMap((name) => partOf(program, name)),
  ]);
  const config = configOf(program).filter(([, name]) => lines.some((line) => line.includes(`\${${name}}`)));
  return [...(config.length > 0 ? ["config:"] : []), ...config.map(([line]) => line), ...lines].join("\n");
}

/**
 * The lines of the YAML program that declare its config, each with the name that it declares.
 * @param {string} program
 */
const configOf = (program) => [...program.matchAll(/^ {2}(\w+): \{ type: .*\}$/gm)];

/**
 * @param {readonly string[]} lines
 * @param {string} module
 */
const uses = (lines, module) => lines.some((line) => new RegExp(`\\b${module}\\.`).test(line));

/**
 * The section of a YAML program that a part of it is in.
 * @param {string} program
 * @param {string} name
 */
function sectionOf(program, name) {
  const before = program.slice(0, program.indexOf(`# begin ${name}\n`));
  const section = before.split("\n").findLast((line) => YAML_SECTIONS.some((one) => line === `${one}:`));
  if (section === undefined) throw new Error(`${name} is in no section of the YAML program`);
  return section.slice(0, -1);
}
