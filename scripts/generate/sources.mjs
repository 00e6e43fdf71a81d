// @ts-check
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/**
 * Loads a module of the tree from its TypeScript source, so that a generator needs no build.
 * @param {string} root
 * @param {string} file
 */
export async function loadSource(root, file) {
  const { build } = await import("esbuild"); // not before: the set-up loads this module, and there may be no packages yet
  const outfile = path.join(root, "node_modules", ".cache", "pulumi-event-datasets", "sources", `${file}.cjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node22",
    logLevel: "warning",
  });
  return createRequire(import.meta.url)(outfile);
}

/**
 * Replaces the generated part of a page: all between the comment `<!-- mark -->` and the next `<!-- end… -->`.
 * @param {string} page
 * @param {string} mark
 * @param {string} content
 */
export function fillMark(page, mark, content) {
  const place = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(?=<!-- end)`);
  if (!place.test(page)) throw new Error(`the page has no place <!-- ${mark} --> … <!-- end -->`);
  return page.replace(place, (_, start) => `${start}\n${content}\n\n`);
}

/**
 * @param {string} root
 * @param {string} file
 */
export const readSource = (root, file) => fs.readFile(path.join(root, file), "utf8");
