import { execFile } from "node:child_process";
import { cp, mkdir, readFile, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll } from "@jest/globals";
import { type Emulator, type EmulatorOptions, environmentOf as settingsOf } from "../../emulator/emulator";
import { type CodeBlock, readMarkdown } from "../docs/markdown";
import { sharedFolder } from "../support/checkout";
import { type CommandResult, describe, endProcessesWith, start } from "../support/command";
import { startTemporaryEmulator } from "../support/deployment";
import { linkedNpm } from "../support/packages";
import { CHECKOUT, compiledModules } from "../support/program";
import { findFreePort } from "../support/service";
import { keyProvider, startKeyService } from "../support/stack";
import { openForTests } from "../support/suite";
import { withWarmHosts } from "../support/warmHosts";

// Types the commands of a Markdown file into a shell, as a reader does: all blocks of `sh` in their order, in one shell.
// A block with a label such as `ts [index.ts]` is written to that file. A block `sh [second terminal]` starts a service
// and stays running; so does one in a third terminal. A block of `text` shows lines that must be in the output, in this order; `…` stands for any text. The section "Remove everything" of an example
// comes last, after what a test looks at.

export interface TypedPage extends AsyncDisposable {
  /** The folder that the commands were typed in. */
  readonly folder: string;
  readonly result: CommandResult;
  /** Types the section "Remove everything", if it was not left out; the end of the page does so too. */
  removeEverything(): Promise<void>;
}

export interface TypingOptions {
  /** Where the commands start; by default an empty folder. */
  readonly prepare?: (folder: string) => Promise<void>;
  readonly env?: NodeJS.ProcessEnv;
  /** Shell functions in place of npm; npm itself if not given. */
  readonly npm?: string;
  /** Programs and hooks run in the engine's own hosts. Default: in warm hosts, which have the SDK of this checkout. */
  readonly hosts?: "engine";
  /** Folders for the front of PATH. */
  readonly tools?: readonly string[];
  /** The service that the pages call; by default nothing but what they start themselves. */
  readonly service?: { readonly url: string };
  /** Texts of the page that stand for the reader's own values, such as an address. */
  readonly replace?: Readonly<Record<string, string>>;
  /** The sections to type, by their headings; all of the page if not given. */
  readonly sections?: readonly string[];
  /** Commands to type after those of the pages, for what a test looks at beyond them. */
  readonly afterwards?: string;
}

/** An example is removed after its guides used it. */
const lastSection = "Remove everything";

const printedAddress = "127.0.0.1:7380";
/** Without a folder the engine takes that of the user's account, whatever HOME says. */
const login = { "pulumi login --local": 'pulumi login "file://$HOME"' };

/**
 * Types all commands of pages, one page after another.
 * @throws Error with the output if a command fails or an expected line is missing
 */
export async function typePages(files: readonly string[], options: TypingOptions = {}): Promise<TypedPage> {
  const root = path.join(await realpath(sharedFolder()), `page-${process.env.JEST_WORKER_ID}`);
  const folder = path.join(root, "folder");
  const home = path.join(root, "home");
  const close = async () => {
    await endProcessesWith("PULUMI_HOME", home);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  await mkdir(root);
  try {
    for (const one of [folder, home, path.join(root, "temp")]) await mkdir(one);
    await options.prepare?.(folder);
    const all = files.flatMap((file) => readMarkdown(file).blocks);
    const isWanted = ({ section }: CodeBlock) => options.sections?.includes(section) ?? true;
    const isLast = ({ section }: CodeBlock) => section === lastSection;
    const chosen = all.filter((block) => isWanted(block) && !isLast(block));
    const port = String(await findFreePort());
    const address = options.service ? new URL(options.service.url).host : `127.0.0.1:${port}`;
    const values = { ...options.replace, ...login, [printedAddress]: address };
    const env = environmentOf(home, await compiledModules(true), options);
    const run = async (commands: string) => {
      const script = `set -euo pipefail\n${options.npm ?? ""}${insert(commands, values)}`;
      const result = await (await start("bash", ["--norc", "-c", script], { cwd: folder, env })).done;
      if (result.code !== 0) throw new Error(`a command failed\n${describe({ ...result, line: script })}`);
      return result;
    };
    const result = await run(`${writeScript(chosen, port)}\n${options.afterwards ?? ""}`);
    expectLines(chosen, result);
    let last = all.filter((block) => isWanted(block) && isLast(block));
    const removeEverything = async () => {
      const script = writeScript(last, port);
      last = [];
      if (script !== "") await run(script);
    };
    return { folder, result, removeEverything, [Symbol.asyncDispose]: () => removeEverything().finally(close) };
  } catch (failure) {
    await close();
    throw failure;
  }
}

const insert = (script: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), script);

/** The options that answer the questions of commands: there is nobody to ask. */
function environmentOf(home: string, compiled: string, { env, hosts, tools = [] }: TypingOptions): NodeJS.ProcessEnv {
  const settings = {
    PATH: [...tools, process.env.PATH].join(path.delimiter),
    HOME: home,
    TMPDIR: path.join(home, "../temp"),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${home}`,
    NO_COLOR: "1",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    GOGC: "off",
    GOMEMLIMIT: "512MiB",
    NODE_COMPILE_CACHE: compiled,
    ...env,
  };
  return hosts === "engine" ? settings : withWarmHosts(settings);
}

function writeScript(blocks: readonly CodeBlock[], port: string): string {
  const parts = blocks.map(({ language, label, code }) => {
    if (language === "sh") return label.endsWith(" terminal") ? runBeside(code, port) : withPort(code, port);
    return label ? `mkdir -p "$(dirname '${label}')"\ncat > '${label}' <<'END_OF_FILE'\n${code}\nEND_OF_FILE` : "";
  });
  return parts.join("\n");
}

/** The emulator that runs one command takes a free port. */
const withPort = (code: string, port: string): string =>
  code.replaceAll(/\bevent-datasets-emulator (?=.*-- )/g, `event-datasets-emulator --port ${port} `);

/** Starts a service at the port, or at the one that it names, and waits until it responds. */
function runBeside(code: string, port: string): string {
  const [, own] = /--port (\d+)/.exec(code) ?? [];
  const command = `${code.trim().replace(/ +#.*$/, "")}${own === undefined ? ` --port ${port}` : ""}`;
  return `{ ${command}; } > service.log 2>&1 &
until curl --silent --output service.health http://127.0.0.1:${own ?? port}/health; do
  kill -0 $! || { cat service.log; exit 1; }
  sleep 0.1
done`;
}

function expectLines(blocks: readonly CodeBlock[], result: CommandResult): void {
  const wanted = blocks.filter(({ language, label }) => language === "text" && !label);
  let rest = withoutExtraSpace(`${result.stdout}\n${result.stderr}`);
  for (const line of wanted.flatMap(({ code }) => code.split("\n")).filter((one) => one.trim())) {
    const pattern = withoutExtraSpace(line).trim().split("…").map(escapePattern).join("[^\\n]*?");
    const found = new RegExp(pattern).exec(rest);
    if (!found) throw new Error(`the output has no line "${line}" here\n${describe(result)}`);
    rest = rest.slice(found.index + found[0].length);
  }
}

const withoutExtraSpace = (text: string): string => text.replaceAll(/[ \t]+/g, " ");
const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

type TypeExample = (name: string, options: TypingOptions, ...more: string[]) => Promise<TypedPage>;

/**
 * Lets a suite type every command of an example's README, and of further pages, into a copy of the example's folder. The lines of the
 * expected output must be in the output. Then the suite looks at what the README does not show.
 *
 * The packages are as they are published. In each suite one example runs in the engine's own hosts.
 */
export function typeExamples(): TypeExample {
  let npm: string;
  const keys = openForTests(startKeyService);
  beforeAll(async () => {
    npm = await linkedNpm();
  });
  return (name, options, ...more) =>
    typePages([`examples/${name}/README.md`, ...more], {
      ...options,
      npm,
      env: {
        // `npm run check` checks the types of all examples at once.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        // tests/e2e/quickStart types `pulumi up` with its preview, and with the key from a passphrase.
        PULUMI_OPTION_SKIP_PREVIEW: "true",
        PULUMI_OPTION_SECRETS_PROVIDER: keyProvider,
        ...keys.env,
        ...(options.service && settingsOf({ ...options.service, rootToken: "xaat-local", profile: "extended" })),
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

/** A command: the outputs go into a file. */
export const writeOutputs = "pulumi stack output --json > outputs.json\n";

/** A file that the commands wrote. */
export const readTyped = ({ folder }: TypedPage, name: string): Promise<string> =>
  readFile(path.join(folder, name), "utf8");

export const readTypedJson = async (typed: TypedPage, name = "outputs.json") =>
  JSON.parse(await readTyped(typed, name));
