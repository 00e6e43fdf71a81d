// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { loadSource } from "../generate/sources.mjs";
import { packagesIn, writeNotices } from "./notices.mjs";

/** The plugin is one file. The engine finds it on PATH by this name. */
const PLUGIN = { folder: "native", name: "pulumi-resource-event-datasets" };
const PROVIDER = { file: "provider/eventDatasets", name: "eventDatasets" };

/** Leaves out code that the plugin never runs, a third of the file. */
const NEVER_RUN = {
  define: { esbuildDetection: "true" }, // undici then leaves out its second, experimental parser
  external: ["@grpc/proto-loader"], // for gRPC's own diagnostics, which load it when they start
};

/** Modules of the command line that start without a service. Bundled, because Node.js takes longer to open many modules than to run them. */
const AT_ONCE = ["cli/main", "cli/completion", "cli/manuals/index"];

/**
 * Bundles the plugin and returns the packages in it.
 * @param {string} root
 * @param {string} folder
 */
export async function bundlePlugin(root, folder) {
  const { bundlePlugin: bundle } = await loadSource(root, "framework/build/index.ts");
  const outfile = path.join(folder, PLUGIN.folder, PLUGIN.name);
  const metafile = await bundle(root, PROVIDER, "schema.json", outfile, {
    minify: true,
    lineLimit: 160,
    ...NEVER_RUN,
    legalComments: "none", // the notices have them all
  });
  await describePlugin(root, path.dirname(outfile));
  const packages = await packagesIn(metafile, root);
  await writeNotices(path.dirname(outfile), packages);
  return packages;
}

/**
 * Lets `pulumi package add FOLDER` accept the plugin's folder: the engine installs the dependencies in its package.json, and Pulumi's
 * own runner loads its main file.
 * @param {string} root
 * @param {string} folder
 */
async function describePlugin(root, folder) {
  const { version, peerDependencies } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"));
  const dependencies = { "@pulumi/pulumi": peerDependencies["@pulumi/pulumi"] };
  const manifest = { name: "event-datasets-plugin", version, private: true, main: PLUGIN.name, dependencies };
  await fs.writeFile(path.join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const runtime = ["runtime:", "  name: nodejs", "  options:", "    typescript: false", ""];
  await fs.writeFile(path.join(folder, "PulumiPlugin.yaml"), runtime.join("\n"));
}

/**
 * Bundles modules with their imports. Dynamic imports stay separate files and become require(), so that Node.js does not load its
 * loader for ES modules.
 * @param {string} root
 * @param {string} folder
 */
export async function bundleCommandLine(root, folder) {
  const { build } = await import("esbuild");
  for (const module of AT_ONCE) {
    const home = path.join(root, path.dirname(module));
    const { metafile } = await build({
      absWorkingDir: root,
      metafile: true,
      entryPoints: [`${module}.ts`],
      outfile: path.join(folder, `${module}.js`),
      bundle: true,
      platform: "node",
      target: "es2023",
      supported: { "dynamic-import": false },
      plugins: [dynamicImportsApart(home)],
      logLevel: "warning",
    });
    const [foreign] = await packagesIn(metafile, root);
    if (foreign) throw new Error(`${module}.js contains ${foreign.name}, but has no notices beside it`);
  }
}

/**
 * @param {string} home the folder of the bundle
 * @returns {import("esbuild").Plugin}
 */
const dynamicImportsApart = (home) => ({
  name: "apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path: file, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      return { path: `./${path.relative(home, path.join(resolveDir, file))}`, external: true };
    });
  },
});

/**
 * Bundles one script and one style sheet, and writes the notices of the packages in them.
 * @param {string} source
 * @param {string} target
 */
export async function bundlePage(source, target) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: source,
    entryPoints: ["page.ts", "page.css"],
    outdir: target,
    metafile: true,
    bundle: true,
    minify: true,
    target: ["chrome123", "firefox128", "safari17.5"],
    legalComments: "none", // the notices have them all
    logLevel: "warning",
  });
  for (const file of ["index.html", "icon.svg"]) await fs.copyFile(path.join(source, file), path.join(target, file));
  await writeNotices(target, await packagesIn(metafile, source));
}
