// @ts-check
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { capture } from "./run.mjs";

/**
 * Writes the SDKs of the plugin for Node, Python and Go programs, out of schema.json, with the engine's own generators. They are
 * made at a release and not committed. EVENT_DATASETS_PLUGIN_DOWNLOAD_URL is where an engine is to get the plugin from; without it,
 * the plugin is to be installed.
 * @param {{ root: string, env: NodeJS.ProcessEnv, folder: string }} options
 */
export async function makeSdks({ root, env, folder }) {
  const draft = await fs.mkdtemp(path.join(os.tmpdir(), "sdks-"));
  try {
    const generator = path.join(draft, "sdks");
    await capture("go", ["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", generator, "."], {
      cwd: path.join(root, "scripts", "sdks"),
      env: { ...env, GOWORK: "off" },
    });
    await capture(generator, [path.join(root, "schema.json"), folder], { env });
    await fs.writeFile(path.join(folder, "python", "README.md"), "Made from the schema of pulumi-event-datasets.\n");
    // A folder of Go code is a package of the module that holds it; this one is a module of its own.
    const { language } = JSON.parse(await fs.readFile(path.join(root, "schema.json"), "utf8"));
    await fs.writeFile(path.join(folder, "go", "go.mod"), `module ${language.go.importBasePath}\n\ngo 1.24\n`);
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}
