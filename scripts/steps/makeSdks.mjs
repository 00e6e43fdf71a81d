// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { buildFlags } from "./makeEngine.mjs";
import { capture } from "./run.mjs";

/**
 * Writes the SDKs of the plugin for Node.js, Python and Go programs, with the engine's own generators. They are built for a release
 * and never committed.
 * @param {object} options
 * @param {string} options.root
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} options.folder
 * @param {string} [options.pluginServer] the address that an engine downloads the plugin from; without it, the user installs the plugin
 * @param {string} [options.goModule] the path of the Go module, if it is not the schema's
 */
export async function makeSdks({ root, env, folder, pluginServer = "", goModule = "" }) {
  const schema = path.join(root, "schema.json");
  const goPackage = goModule && `${goModule}/eventdatasets`;
  const settings = ["-plugin-server", pluginServer, "-go-package", goPackage];
  // Go keeps the generator in its cache, and with these flags it shares compiled packages with the engine.
  await capture("go", ["run", ...buildFlags("-s -w"), ".", ...settings, schema, folder], {
    cwd: path.join(root, "scripts", "sdks"),
    env: { ...env, GOWORK: "off" },
  });
  await fs.writeFile(path.join(folder, "python", "README.md"), "Generated from the schema of pulumi-event-datasets.\n");
}
