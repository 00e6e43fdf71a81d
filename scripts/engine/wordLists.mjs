// @ts-check
import fs from "node:fs/promises";
import path from "node:path";
import { runGo } from "../steps/goBuild.mjs";

/** Two copies of one package, by which `pulumi config set` and `pulumi env set` tell what looks like a secret. */
const MODULES = ["github.com/ccojocar/zxcvbn-go", "github.com/nbutton23/zxcvbn-go"];

/**
 * Writes a go.mod of the engine in which they read lists of words when they need one: at a start that takes half of the CPU time.
 * @param {{ root: string, env: NodeJS.ProcessEnv, folder: string }} options folder: for the file, and for the changed modules
 */
export async function deferWordLists({ root, env, folder }) {
  await fs.cp(path.join(root, "scripts", "engine", "cli"), folder, { recursive: true });
  for (const [index, name] of MODULES.entries()) {
    const { Dir } = JSON.parse(await runGo(root, env, "cli", ["mod", "download", "-json", name]));
    const copy = path.join(folder, String(index));
    for (const file of (await fs.readdir(Dir, { recursive: true })).filter((one) => /(?<!_test)\.go$/.test(one))) {
      const text = (await fs.readFile(path.join(Dir, file), "utf8"))
        .replace("func init() {\n\tmaleFilePath", "func Load() {\n\tmaleFilePath")
        .replace("func init() {\n\tloadFrequencyList()\n}\n", "") // to rate a word loads them if they are not there
        .replace("\tfor n, list := range frequency.Lists", "\tfrequency.Load()\n$&");
      await fs.mkdir(path.dirname(path.join(copy, file)), { recursive: true });
      await fs.writeFile(path.join(copy, file), text);
    }
    await fs.writeFile(path.join(copy, "go.mod"), `module ${name}\n\ngo 1.20\n`);
    await fs.appendFile(path.join(folder, "go.mod"), `\nreplace ${name} => ${JSON.stringify(copy)}\n`);
  }
  return path.join(folder, "go.mod");
}
