import { readdirSync } from "node:fs";
import path from "node:path";
import { CHECKOUT } from "./program";

/** The files in a folder of the checkout and below it whose names match, by their paths in the checkout. Nothing that is installed. */
export const filesBelow = (folder: string, name: RegExp): string[] =>
  readdirSync(path.join(CHECKOUT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file) && !file.includes("node_modules"))
    .map((file) => path.join(folder, file));
