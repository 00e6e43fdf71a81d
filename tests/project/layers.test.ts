import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(__dirname, "../..");
const { layers } = require(join(root, "scripts/layers.cjs")) as { layers: Record<string, readonly string[]> };
const { forbidden } = require(join(root, ".dependency-cruiser.cjs")) as { forbidden: readonly Rule[] };

/** The members of a rule of dependency-cruiser that ours have. */
interface Rule {
  readonly name: string;
  readonly from: { readonly path: string };
  readonly to: {
    readonly path?: readonly string[];
    readonly pathNot?: readonly string[];
    readonly dependencyTypesNot?: readonly string[];
  };
}

const parts = Object.keys(layers);
const allowed = Object.values(layers)
  .flat()
  .map((name) => name.replace("types of ", ""));
/** Modules that are not ours, and one that no part names. */
const modules = ["node:vm", ...new Set(allowed.filter((name) => !parts.includes(name) && name !== "node:*"))];

/** A file of a part: of any folder this one, of several names the first. */
function fileOf(part: string): string {
  const example = part.replaceAll("*", "apiToken").replace(/\{(\w+)[^}]*\}/g, "$1");
  return existsSync(join(root, `${example}.ts`)) ? `${example}.ts` : `${example}/probe.ts`;
}

/** A module as dependency-cruiser resolves it. */
const resolve = (name: string) =>
  name.startsWith("node:") ? name.slice("node:".length) : `node_modules/${name}/index.js`;
const targetOf = (name: string) => (parts.includes(name) ? fileOf(name) : resolve(name));

const matches = (patterns: readonly string[], path: string) => patterns.some((one) => new RegExp(one).test(path));
const rules = forbidden.filter(({ name }) => name.startsWith("imports of "));

const isRefused = (from: string, target: string, form: "types" | "values") =>
  rules.some(
    ({ from: { path }, to: { path: wanted = [""], pathNot = [], dependencyTypesNot = [] } }) =>
      matches([path], from) &&
      matches(wanted, target) &&
      !matches(pathNot, target) &&
      !(form === "types" && dependencyTypesNot.includes("type-only")),
  );

function isAllowed(part: string, target: string, form: "types" | "values"): boolean {
  const own = layers[part] ?? [];
  if (own.includes(target) || (target.startsWith("node:") && own.includes("node:*"))) return true;
  return form === "types" && own.includes(`types of ${target}`);
}

test.each(["values", "types"] as const)(
  "each part may import exactly the %s of others that the table allows",
  (form) => {
    const pairs = parts.flatMap((part) =>
      [...parts, ...modules].filter((target) => target !== part).map((target) => [part, target] as const),
    );
    const wrong = pairs.filter(
      ([part, target]) => isRefused(fileOf(part), targetOf(target), form) === isAllowed(part, target, form),
    );
    expect(wrong).toEqual([]);
  },
);

test("every source file belongs to a part", () => {
  const tops = new Set(parts.map((part) => part.split("/")[0]));
  const config = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8")) as { include: string[] };
  expect(config.include.filter((folder) => !tops.has(folder))).toEqual([]);
});
