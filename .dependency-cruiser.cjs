// @ts-check
"use strict";

const { builtinModules } = require("node:module");
const { layers } = require("./scripts/layers.cjs");

const parts = Object.keys(layers);
const typesOf = "types of ";

/** @param {string} text */
const escapePattern = (text) => text.replace(/[.+?^$()|[\]\\]/g, "\\$&");

/**
 * A part's name as a pattern: `*` is one folder, `{a,b}` either name.
 * @param {string} part
 */
const patternOf = (part) =>
  escapePattern(part)
    .replace(/\*/g, "[^/]+")
    .replace(/\{(.*?)\}/g, (_, names) => `(${names.replaceAll(",", "|")})`);

/** A `*` at the end is a folder, never a file. @param {string} part */
const endOf = (part) => (part.endsWith("*") ? "/" : "(/|\\.ts$)");

/**
 * The files of a part, as a pattern: not those of a longer one, which can lie within it.
 * @param {string} part
 */
function filesOf(part) {
  const within = parts
    .filter((other) => other.length > part.length)
    .map((other) => `(?!${patternOf(other)}${endOf(other)})`);
  return `^${within.join("")}${patternOf(part)}${endOf(part)}`;
}

/**
 * The pattern of an allowed import: a part of ours, a package, or a module of Node.js.
 * @param {string} name
 */
function modulesOf(name) {
  if (parts.includes(name)) return filesOf(name);
  if (name === "node:*") return `^node:|^(${builtinModules.join("|")})$`; // the list lacks the modules that exist only with the prefix
  if (name.startsWith("node:")) return `^(node:)?${escapePattern(name.slice("node:".length))}$`;
  return `^(node_modules/)?${escapePattern(name)}(/|$)`;
}

const rules = parts.flatMap((part) => {
  const allowed = layers[part] ?? [];
  const always = [part, ...allowed.filter((name) => !name.startsWith(typesOf))];
  const asTypes = allowed.filter((name) => name.startsWith(typesOf)).map((name) => name.slice(typesOf.length));
  const from = { path: filesOf(part) };
  const refused = { name: `imports of ${part}`, severity: /** @type {const} */ ("error"), from };
  return [
    {
      ...refused,
      comment: `${part} may import: ${allowed.join(", ") || "nothing"} (scripts/layers.cjs)`,
      to: { pathNot: [...always, ...asTypes].map(modulesOf) },
    },
    ...(asTypes.length > 0
      ? [
          {
            ...refused,
            comment: `${part} may import only types of ${asTypes.join(", ")} (scripts/layers.cjs)`,
            to: { path: asTypes.map(modulesOf), dependencyTypesNot: [/** @type {const} */ ("type-only")] },
          },
        ]
      : []),
  ];
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...rules,
    { name: "no circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no data function that the provider lacks",
      severity: "error",
      comment: "provider/lookups/index.ts must export it",
      from: { path: "^provider/eventDatasets\\.ts$" },
      to: { path: "^provider/lookups/(?!programs)", reachable: false },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)generated/|^emulator/dist/" },
    tsPreCompilationDeps: "specify",
    tsConfig: { fileName: "tsconfig.json" },
  },
};
