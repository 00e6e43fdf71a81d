// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { readProgram } from "./languageExamples.mjs";
import { fillMark, loadSource, readSource } from "./sources.mjs";

/** @typedef {{ $ref?: string }} Property */
/** @typedef {Readonly<Record<string, Property>>} Properties */
/** @typedef {import("./languageExamples.mjs").Language} Language */

const PAGE = "design/verified.md";
/** The folders of the suites whose programs use resource options. Of the first one, some suites deploy both forms. */
const SUITES = { dynamic: "tests/e2e/options", plugin: "tests/native/languages" };
const BOTH_FORMS = "describe.each(forms)";
/** Options that a suite for both forms sets for the plugin only. */
const PLUGIN_ONLY = ["import"];
const OPTIONS = [
  "additionalSecretOutputs",
  "aliases",
  "customTimeouts",
  "deleteBeforeReplace",
  "deletedWith",
  "dependsOn",
  "hideDiffs",
  "hooks",
  "ignoreChanges",
  "import",
  "parent",
  "protect",
  "provider",
  "replaceOnChanges",
  "replaceWith",
  "replacementTrigger",
  "retainOnDelete",
  "transforms",
];

/** How each language spells a name of the schema. @type {Readonly<Record<Language, (name: string) => string>>} */
const SPELLINGS = {
  typescript: (name) => name,
  python: (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  go: (name) => name.charAt(0).toUpperCase() + name.slice(1),
  yaml: (name) => name,
};
const LANGUAGES = /** @type {Language[]} */ (Object.keys(SPELLINGS));

/** Which rows of the reference a test asserts in which form and language. @type {import("./produce.mjs").Make} */
export async function makeVerifiedPage(root) {
  const { outputs } = await loadSource(root, "tests/native/languages/programs/expected.ts");
  const schema = JSON.parse(await readSource(root, "schema.json"));
  const programs = await Promise.all(LANGUAGES.map((language) => readProgram(root, language)));
  const used = findArguments(await readProgram(root, "yaml"));

  /** @param {string} key */
  const describeMember = (key) => {
    const name = key.slice(key.lastIndexOf(".") + 1);
    const uses = LANGUAGES.map((language, index) =>
      used.has(key) && new RegExp(`\\b${SPELLINGS[language](name)}\\b`).test(programs[index] ?? "") ? "used" : "",
    );
    const isInPlugin = key in outputs;
    return [key in outputs ? "compared" : uses[0], ...uses.map((use) => (isInPlugin ? "compared" : use))];
  };
  const nouns = Object.entries({ ...schema.resources, ...schema.functions });
  const rows = nouns.flatMap(([token, noun]) => {
    const name = token.slice(token.lastIndexOf(":") + 1);
    const inputs = expand(schema, name, noun.inputProperties ?? noun.inputs?.properties ?? {}, outputs);
    const results = expand(schema, name, noun.properties ?? noun.outputs?.properties ?? {}, outputs);
    return [...new Set([...inputs, ...results])].map((key) => {
      const kinds = [inputs.includes(key) ? "argument" : "", results.includes(key) ? "output" : ""].filter(Boolean);
      return [`\`${key}\``, kinds.join(", "), ...describeMember(key)].map((cell) => cell || "–");
    });
  });
  const page = await readSource(root, PAGE);
  const members = toTable(["Member", "Kind", "Dynamic", "TypeScript", "Python", "Go", "YAML"], rows);
  const options = toTable(["Option", "Dynamic", "Plugin"], await describeOptions(root));
  return { [PAGE]: fillMark(fillMark(page, "members", members), "options", options) };
}

/**
 * The arguments that a program in YAML passes, as `Noun.argument`; those of an object also as `Noun.argument.member`.
 * @param {string} program
 */
function findArguments(program) {
  /** @type {{ resources: Record<string, any>, variables: Record<string, any> }} */
  const { resources, variables } = parse(program);
  const calls = [
    ...Object.values(resources).map(({ type, properties }) => [type, properties]),
    ...Object.values(variables).map((variable) => [
      variable["fn::invoke"]?.function,
      variable["fn::invoke"]?.arguments,
    ]),
  ];
  const keys = calls.flatMap(([token, passed]) =>
    Object.entries(passed ?? {}).flatMap(([name, value]) => {
      const key = `${String(token).slice(String(token).lastIndexOf(":") + 1)}.${name}`;
      const members = value instanceof Object && !Array.isArray(value) ? Object.keys(value["fn::secret"] ?? value) : [];
      return [key, ...members.map((member) => `${key}.${member}`)];
    }),
  );
  return new Set(keys);
}

/**
 * The keys of a noun's members. A member of an object type is expanded if the tests compare its members one by one.
 * @param {{ types: Readonly<Record<string, { properties?: Properties }>> }} schema
 * @param {string} noun
 * @param {Properties} properties
 * @param {object} outputs
 * @returns {string[]}
 */
const expand = (schema, noun, properties, outputs) =>
  Object.entries(properties).flatMap(([name, { $ref }]) => {
    const members = Object.keys(schema.types[$ref?.replace("#/types/", "") ?? ""]?.properties ?? {});
    const keys = members.map((member) => `${noun}.${name}.${member}`);
    return keys.some((key) => key in outputs) ? keys : [`${noun}.${name}`];
  });

/**
 * For each resource option the first suite of each form whose text sets it.
 * @param {string} root
 */
async function describeOptions(root) {
  const [dynamic = [], plugin = []] = await Promise.all(
    Object.values(SUITES).map(async (folder) => {
      const files = (await fs.readdir(path.join(root, folder))).filter((file) => file.endsWith(".test.ts")).sort();
      const suites = files.map((file) => path.posix.join(folder, file));
      return Promise.all(suites.map(async (file) => ({ file, text: await readSource(root, file) })));
    }),
  );
  const forms = [dynamic, [...plugin, ...dynamic.filter(({ text }) => text.includes(BOTH_FORMS))]];
  return OPTIONS.map((option) => {
    const isSet = new RegExp(`\\b${option}(:| }|,)`);
    const found = forms.map((suites, form) =>
      form === 0 && PLUGIN_ONLY.includes(option) ? undefined : suites.find(({ text }) => isSet.test(text)),
    );
    return [`\`${option}\``, ...found.map((suite) => (suite ? `\`${suite.file}\`` : "–"))];
  });
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
const toTable = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
