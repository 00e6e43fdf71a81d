// @ts-check
// The reference of every export, from the docstrings: pages that are made for the site and kept nowhere.
import fs from "node:fs/promises";
import path from "node:path";
import { Application, DeclarationReflection, ReflectionKind, SignatureReflection } from "typedoc";

const entries = ["provider", "sdk", "audit"];

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
      entryFileName: "index",
      hidePageHeader: true,
      hideBreadcrumbs: true,
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true },
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
  // Without the same words at every member: which interface it is of.
  for (const reflection of project.getReflectionsByKind(ReflectionKind.All)) {
    if (!(reflection instanceof DeclarationReflection || reflection instanceof SignatureReflection)) continue;
    delete reflection.implementationOf;
    delete reflection.overwrites;
    delete reflection.inheritedFrom;
  }
  await fs.rm(out, { recursive: true, force: true });
  await application.generateOutputs(project);
  // A page is called after its folder; a reader knows it by what is imported.
  const nameOf = (/** @type {string} */ entry) =>
    entry === "provider" ? "pulumi-event-datasets" : `pulumi-event-datasets/${entry}`;
  const links = entries.map((entry) => `- [${nameOf(entry)}](${entry}.md)`);
  await fs.writeFile(path.join(out, "index.md"), `# Every export\n\n${links.join("\n")}\n`);
  for (const entry of entries) {
    const file = path.join(out, `${entry}.md`);
    await fs.writeFile(file, (await fs.readFile(file, "utf8")).replace(/^# .*/, `# ${nameOf(entry)}`));
  }
}
