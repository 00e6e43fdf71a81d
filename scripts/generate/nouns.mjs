// @ts-check
import { globSync } from "node:fs";
import path from "node:path";
import { definitionOf, lowerFirst, upperFirst } from "./packageSchema.mjs";
import { loadSource } from "./sources.mjs";

/** The files that are the same for every noun: a folder with a definition. @type {import("./produce.mjs").Make} */
export async function makeNouns(root) {
  const definitions = globSync(definitionOf("*"), { cwd: root }).sort();
  const nouns = definitions.map((file) => path.basename(path.dirname(file)));
  const list = (/** @type {(noun: string, name: string) => string} */ lineOf) =>
    ["// Made by `npm run generate`.", ...nouns.map((noun) => lineOf(noun, upperFirst(noun)))].join("\n");
  const { modulesOf } = await loadSource(root, "framework/build/index.ts");
  const resources = nouns.map(async (noun) => {
    const { [`${noun}Definition`]: definition } = await loadSource(root, definitionOf(noun));
    return [definition.name, { definition }];
  });
  const placeOf = (/** @type {string} */ name) => ({
    file: `provider/nouns/${lowerFirst(name)}/lifecycle`,
    name: `hosted${name}`,
  });
  return {
    "provider/nouns/resources.ts": list((noun) => `export * from "./${noun}/resource";`),
    "provider/nouns/lifecycles.ts": list(
      (noun, name) => `export { hosted${name} as ${name} } from "./${noun}/lifecycle";`,
    ),
    ...modulesOf({ resources: Object.fromEntries(await Promise.all(resources)) }, placeOf, "provider"),
  };
}
