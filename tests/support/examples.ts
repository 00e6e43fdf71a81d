import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "@jest/globals";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { startTemporaryEmulator } from "./deployment";
import { type KeyService, keyProvider, startKeyService } from "./keyService";
import { linkedNpm } from "./linkedNpm";
import { CHECKOUT } from "./program";
import { type TypedPage, type TypingOptions, typePages } from "./shellPage";

type TypeExample = (name: string, options: TypingOptions, ...more: string[]) => Promise<TypedPage>;

/**
 * Lets a suite type every command of an example's README, and of further pages, into a copy of the example's folder. The lines of the
 * expected output must be in the output. Then the suite looks at what the README does not show.
 *
 * Programs run in the engine's own host, with the packages as they are published. Hooks run in a warm host, with the SDK of this checkout,
 * unless the options say `hooks: "engine"`. In each suite one example does.
 */
export function typeExamples(): TypeExample {
  let npm: string;
  let keys: KeyService;
  beforeAll(async () => {
    npm = await linkedNpm();
    keys = await startKeyService();
  });
  afterAll(async () => {
    await keys?.[Symbol.asyncDispose]();
  });
  return (name, options, ...more) =>
    typePages([`examples/${name}/README.md`, ...more], {
      hooks: "warm host",
      ...options,
      npm,
      env: {
        // `npm run check` checks the types of all examples at once.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        // tests/e2e/quickStart types `pulumi up` with its preview, and with the key from a passphrase.
        PULUMI_OPTION_SKIP_PREVIEW: "true",
        PULUMI_OPTION_SECRETS_PROVIDER: keyProvider,
        ...keys.env,
        ...options.env,
      },
      prepare: async (folder) => {
        await options.prepare?.(folder);
        await cp(path.join(CHECKOUT, "examples", name), folder, {
          recursive: true,
          filter: (file) => path.basename(file) !== "node_modules",
        });
        await promisify(execFile)("git", ["init", "--quiet"], { cwd: folder });
      },
    });
}

/** The service that the READMEs expect, with their access token. */
export const startExampleService = (options: Partial<EmulatorOptions> = {}): Promise<Emulator> =>
  startTemporaryEmulator({ profile: "extended", rootToken: "xaat-local", ...options });

/** The settings that a guide expects in the reader's environment; at loopback the profile has to be set. */
export const connectionTo = ({ url }: Emulator) => ({
  EVENT_DATASETS_BASE_URL: url,
  EVENT_DATASETS_ACCESS_TOKEN: "xaat-local",
  EVENT_DATASETS_PROFILE: "extended",
});

/** A command: the outputs go into a file. */
export const writeOutputs = "pulumi stack output --json > outputs.json\n";

/** A file that the commands wrote. */
export const readTyped = ({ folder }: TypedPage, name: string): Promise<string> =>
  readFile(path.join(folder, name), "utf8");

export const readTypedJson = async (typed: TypedPage, name = "outputs.json") =>
  JSON.parse(await readTyped(typed, name));
