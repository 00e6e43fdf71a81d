import { createRequire } from "node:module";
import { join } from "node:path";
import { withPrintableFailures } from "../../values/printable";
import type { ResourceDefinition } from "../definition";
import type { ProviderPackage } from "../package";

/**
 * The engine loads the stored provider from the program's folder, where a package that is only a dependency of a
 * dependency need not be found. It would say "Cannot find module" in the middle of an update; this says it at once.
 * @throws Error that says what to install
 */
export const requireDirectDependency = withPrintableFailures(
  ({ npm }: ProviderPackage, { name, module }: ResourceDefinition): void => {
    try {
      createRequire(join(process.cwd(), "program")).resolve(`${npm}/${module}`);
    } catch (cause) {
      throw new Error(
        [
          `${name}: the package ${npm} cannot be loaded from ${process.cwd()}, where the Pulumi`,
          `engine will look for it. Make it a direct dependency of the program: npm install ${npm}`,
        ].join(" "),
        { cause },
      );
    }
  },
);
