import { createRequire } from "node:module";
import { join } from "node:path";
import { withPrintableFailures } from "../../sdk/values/printable";
import { modules, packageName, type ResourceType } from "../dynamic/strings";

/** What was found, by folder and type: every resource of a program asks. */
const found = new Set<string>();

/**
 * The engine loads the stored provider from the program's folder, where a package that is only a dependency of a
 * dependency need not be found. It would say "Cannot find module" in the middle of an update; this says it at once.
 * @throws Error that says what to install
 */
export const requireDirectDependency = withPrintableFailures((type: ResourceType): void => {
  const place = join(process.cwd(), modules[type]);
  if (found.has(place)) return;
  try {
    createRequire(join(process.cwd(), "program")).resolve(`${packageName}/${modules[type]}`);
    found.add(place);
  } catch (cause) {
    throw new Error(
      [
        `${type}: the package ${packageName} cannot be loaded from ${process.cwd()}, where the Pulumi`,
        "engine will look for it. Make it a direct dependency of the program: npm install",
        `${packageName}`,
      ].join(" "),
      { cause },
    );
  }
});
