import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { CHECKOUT } from "../../support/program";
import { makeFolder } from "../../support/suite";

/** The real `age` and `age-keygen`, and a folder for their keys. */
export interface AgeCommands {
  readonly folder: string;
  /** Runs one of them and resolves to what it printed. @throws Error if it fails */
  run(command: "age" | "age-keygen", args: readonly string[], stdin?: string): Promise<string>;
}

/** Builds both from the Go modules that are named beside this file; it needs Go. */
export async function buildAge(): Promise<AgeCommands> {
  const folder = makeFolder();
  const [bin, module] = [join(folder, "bin/"), join(CHECKOUT, "tests/e2e/examples/age")];
  await promisify(execFile)("go", ["build", "-o", bin, "tool"], { cwd: module }).catch((cause) => {
    throw new Error("the age command could not be built: this test needs Go 1.25 or newer", { cause });
  });
  return {
    folder,
    async run(command, args, stdin = "") {
      const child = spawn(join(bin, command), args, { cwd: folder });
      child.stdin.on("error", () => undefined); // a command that does not read its input may end before it is written
      child.stdin.end(stdin);
      const [stdout, stderr, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise((resolve) => child.once("close", resolve)),
      ]);
      if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
      return stdout;
    },
  };
}
