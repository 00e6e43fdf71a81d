// @ts-check
// The reference of every export, from the docstrings: pages that are made for the site and kept nowhere.
import fs from "node:fs/promises";
import path from "node:path";
import { Application } from "typedoc";

const entries = ["provider", "sdk", "audit", "testing"];

/** @param {string} root */
export async function writeApi(root) {
  const out = path.join(root, "docs", "reference", "api");
  const application = await Application.bootstrapWithPlugins(
    /** @type {import("typedoc").TypeDocOptions} */ ({
      entryPoints: entries.map((entry) => path.join(root, entry, "index.ts")),
      tsconfig: path.join(root, "tsconfig.build.json"),
      plugin: ["typedoc-plugin-markdown"],
      out,
      name: "Every export",
      readme: "none",
      outputFileStrategy: "modules",
      hidePageHeader: true,
      hideBreadcrumbs: true,
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      disableSources: true, // their addresses would be those of a repository
      excludePrivate: true,
      excludeProtected: true,
      excludeInternal: true,
      excludeExternals: true,
      hideGenerator: true,
      skipErrorChecking: true, // `npm run check` does that
      logLevel: "Error",
    }),
  );
  const project = await application.convert();
  if (!project) throw new Error("the reference could not be read from the code");
  await fs.rm(out, { recursive: true, force: true });
  await application.generateOutputs(project);
  // The page of a module is called after its folder; a reader knows it by what is imported.
  for (const entry of entries) {
    const file = path.join(out, `${entry}.md`);
    const name = entry === "provider" ? "pulumi-event-datasets" : `pulumi-event-datasets/${entry}`;
    await fs.writeFile(file, (await fs.readFile(file, "utf8")).replace(/^# .*/, `# ${name}`));
  }
}
