// @ts-check
import { loadSource, readSource } from "./sources.mjs";

/** The names of resources that other parts use, by the part that declares each. */
const USED = { ApiToken: /\bci\b/, Dataset: /\bshop\b/ };

/** The folder of one program a language. Each uses every resource and calls every function. */
const PROGRAMS = "tests/native/languages/programs";

/** The SDK of the plugin; it has the same names as the npm package. */
const SDK_IMPORT = 'import * as eventDatasets from "pulumi-event-datasets-native";';
/** Needed by a program in Go that reads the config. */
const GO_CONFIG = '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"';

/** The lines before and after the part of a program that is an example. */
const LANGUAGES = {
  typescript: { file: "index.ts", first: ['import * as pulumi from "@pulumi/pulumi";', SDK_IMPORT, ""], last: [] },
  python: {
    file: "__main__.py",
    first: ["import pulumi", "import pulumi_event_datasets as event_datasets", ""],
    last: [],
  },
  go: {
    file: "main.go",
    first: [
      ...["package main", "", "import (", '\t"pulumi-event-datasets-go/eventdatasets"', ""],
      ...['\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"', GO_CONFIG, ")", ""],
      ...["func main() {", "\tpulumi.Run(func(ctx *pulumi.Context) error {"],
    ],
    last: ["\t\treturn nil", "\t})", "}"],
  },
  yaml: { file: "Pulumi.yaml", first: [], last: [] },
};

/** @typedef {keyof typeof LANGUAGES} Language */

const languages = /** @type {Language[]} */ (Object.keys(LANGUAGES));

/** The examples of every resource and function, as the descriptions of a schema hold them. @param {string} root */
export async function readExamples(root) {
  const examplesOf = await readExamplePrograms(root);
  /** @param {string} name */
  return (name) => {
    const blocks = Object.entries(examplesOf(name)).map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``);
    const [begin, end] = [
      ["{{% examples %}}", "## Example Usage", "{{% example %}}"],
      ["{{% /example %}}", "{{% /examples %}}"],
    ];
    return [...begin, ...blocks, ...end].join("\n\n");
  };
}

/** An example as a page of the site shows it: a tab for each language, TypeScript with the npm package. @param {string} root */
export async function readExampleTabs(root) {
  const examplesOf = await readExamplePrograms(root);
  /** @param {string} name */
  return (name) => {
    const { typescript, python, go, yaml } = examplesOf(name);
    const tabs = {
      "ts [TypeScript]": withNpmPackage(typescript),
      "python [Python]": python,
      "go [Go]": go,
      "yaml [YAML]": yaml,
    };
    return Object.entries(tabs)
      .map(([tab, code]) => `\`\`\`${tab}\n${code}\n\`\`\``)
      .join("\n\n");
  };
}

/** @param {string} program */
function withNpmPackage(program) {
  const names = [...new Set(program.match(/(?<=\beventDatasets\.)\w+/g))].sort();
  return program
    .replace(SDK_IMPORT, `import { ${names.join(", ")} } from "pulumi-event-datasets";`)
    .replaceAll("eventDatasets.", "");
}

/**
 * The examples are parts of programs that the tests run: the lines between the comments `begin NAME` and `end NAME`.
 * @param {string} root
 */
async function readExamplePrograms(root) {
  const texts = await Promise.all(languages.map(async (language) => [language, await readProgram(root, language)]));
  const programs = /** @type {Record<Language, string>} */ (Object.fromEntries(texts));
  /** @param {string} name */
  return (name) => {
    const examples = languages.map((language) => [language, exampleOf(language, programs[language], name)]);
    return /** @type {Record<Language, string>} */ (Object.fromEntries(examples));
  };
}

/** @param {Language} language */
const fileOf = (language) => `${PROGRAMS}/${LANGUAGES[language].file}`;
/** @param {string} root @param {Language} language */
export const readProgram = (root, language) => readSource(root, fileOf(language));

/** The programs with the calls of data functions, as in the one in YAML. @type {import("./produce.mjs").Make} */
export async function makeFunctionCalls(root) {
  const { lookups } = await loadSource(root, "provider/eventDatasets.ts");
  const { writeCall } = await loadSource(root, "tests/native/languages/calls.ts");
  const yaml = await readProgram(root, "yaml");
  const place = /^(([ \t]*)(\S+) begin functions.*\n)[\s\S]*?(?=^\s*\S+ end functions$)/m;
  const programs = /** @type {const} */ (["typescript", "python", "go"]).map(async (language) => {
    const program = await readProgram(root, language);
    const [generated = "", first, indent = "", mark] = place.exec(program) ?? [];
    const byHand = program.replace(generated, "");
    const parts = Object.keys(lookups)
      .filter((name) => !byHand.includes(`${mark} begin ${name}\n`))
      .map((name) => {
        const call = writeCall(name, partOf(yaml, name), yaml)[language];
        return `${mark} begin ${name}\n${call}\n${mark} end ${name}\n`.replaceAll(/^(?=.)/gm, indent);
      });
    return [fileOf(language), program.replace(generated, () => `${first}${parts.join("\n")}`)];
  });
  return Object.fromEntries(await Promise.all(programs));
}

/** The part of a program that is about one resource or function. @param {string} program @param {string} name */
export function partOf(program, name) {
  const [, part] =
    new RegExp(`^\\s*(?:#|//) begin ${name}\\n([^]*?)\\n\\s*(?:#|//) end ${name}$`, "m").exec(program) ?? [];
  if (part === undefined)
    throw new Error(`a program of ${PROGRAMS} has no lines between "begin ${name}" and "end ${name}"`);
  return part;
}

/**
 * A whole program: a part that uses a resource follows the part that declares it.
 * @param {Language} language
 * @param {string} program
 * @param {string} name
 */
function exampleOf(language, program, name) {
  const uses = Object.entries(USED).filter(([one, used]) => one !== name && used.test(partOf(program, name)));
  const names = [...uses.map(([one]) => one), name];
  if (language === "yaml") return yamlExampleOf(program, names);
  const code = names.map((one) => partOf(program, one)).join("\n\n");
  const { first, last } = LANGUAGES[language];
  const isNeeded = (/** @type {string} */ line) =>
    line === GO_CONFIG
      ? /\bconfig\./.test(code)
      : !/^import.* pulumi( |$)|^import pulumi$/.test(line) || /\bpulumi\./.test(code);
  return [...first.filter(isNeeded), code, ...last].join("\n").replace(/^\n+/, "");
}

/** With the sections of the program that the parts are in, and the config that they use. @param {string} program @param {readonly string[]} names */
function yamlExampleOf(program, names) {
  const sections = Map.groupBy(names, (name) => {
    const before = program.slice(0, program.indexOf(`# begin ${name}\n`));
    return [...before.matchAll(/^(?:resources|variables):$/gm)].at(-1)?.[0] ?? "";
  });
  const lines = [...sections].flatMap(([section, members]) => [
    section,
    ...members.map((name) => partOf(program, name)),
  ]);
  const declared = [...program.matchAll(/^ {2}(\w+): \{ type: .*\}$/gm)];
  const config = declared
    .filter(([, name]) => lines.some((line) => line.includes(`\${${name}}`)))
    .map(([line]) => line);
  return [...(config.length > 0 ? ["config:"] : []), ...config, ...lines].join("\n");
}
