import { execFile } from "node:child_process";
import { access, constants, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from "playwright-core";
import { ensureCached } from "../../scripts/steps/cache.mjs";
import { log } from "../../scripts/steps/log.mjs";
import { CHECKOUT } from "../support/program";

export type { Browser, Locator, Page } from "playwright-core";

const run = promisify(execFile);

/** Every name that is not this machine's is unknown to the browser; a test may give a name of its own to this machine. */
export const strangeName = "strange.example";
const resolver = `MAP ${strangeName} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1`;

/**
 * A headless Chromium: the packaged one on Linux x64, which needs nothing installed, else one that is installed. It reaches
 * nothing but this machine. One a suite, which closes it.
 * @param more variables of the browser's environment
 * @throws Error that says what to do if there is none: a suite must fail then, not pass without having looked
 */
export async function startBrowser(more: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const tried: string[] = [];
  for (const find of [packagedChromium, installedChromium, installedChrome]) {
    try {
      const found = await find();
      const env = { ...(process.env as Record<string, string>), ...found.env, ...more };
      return await chromium.launch({
        timeout: HANG_MS,
        args: [`--host-resolver-rules=${resolver}`],
        ...found,
        env,
      });
    } catch (failure) {
      tried.push((failure as Error).message.split("\n")[0] ?? "");
    }
  }
  throw new Error(`no browser can be started (CHROME_PATH may name a Chromium):\n${tried.join("\n")}`);
}

async function packagedChromium(): Promise<LaunchOptions> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("the packaged Chromium is for Linux x64");
  const manifest = await readFile(path.join(CHECKOUT, "node_modules/@sparticuz/chromium/package.json"), "utf8");
  // Once a version, for all suites.
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = path.join(CHECKOUT, "node_modules/.cache/pulumi-event-datasets", `chromium-${version}`);
  const unpacked = await ensureCached({ folder, log, make: unpackInto });
  const executablePath = path.join(unpacked, "chromium");
  // Libraries that a small system lacks come with it. Those of the system go first: they fit its C library.
  const found = await run(executablePath, ["--version"]).then(
    () => ({}),
    () => ({ LD_LIBRARY_PATH: path.join(unpacked, "al2023/lib") }),
  );
  return { executablePath, env: { ...process.env, ...found } as Record<string, string> };
}

/**
 * The package unpacks into the folder for temporary files, under fixed names: another user of the machine could have put a program
 * there. So it gets a folder of its own for that.
 */
async function unpackInto(fresh: string): Promise<void> {
  const script = 'import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath())';
  // As on a machine that has none of the libraries, so that they are unpacked too.
  const env = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" };
  await run(process.execPath, ["-e", script], { cwd: CHECKOUT, env });
}

async function installedChromium(): Promise<LaunchOptions> {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const files = [
    process.env.CHROME_PATH ?? "",
    ...folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)),
  ];
  for (const file of files) if (file !== "" && (await isThere(file))) return { executablePath: file };
  throw new Error("there is no Chromium on PATH");
}

const installedChrome = async (): Promise<LaunchOptions> => ({ channel: "chrome" });

const isThere = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Only what hangs takes so long. */
const HANG_MS = 600_000;

export interface VisitOptions {
  /** In CSS pixels; 1200 if not given. */
  readonly width?: number;
  readonly dark?: boolean;
  /** The browser's own language, which follows from its environment; else it is en-US. */
  readonly ownLanguage?: boolean;
  readonly context?: BrowserContextOptions;
}

/** A page in a profile of its own, and what it did. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** The addresses that it asked for, in order. */
  readonly requests: readonly string[];
  /** Errors, refusals of its content policy, and dialogs: what somebody who looks after the page would want to know. */
  readonly problems: readonly string[];
}

/** Opens an address, in its own profile. */
export async function visit(browser: Browser, address: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1200, dark = false, ownLanguage = false, context: more } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    ...(ownLanguage ? {} : { locale: "en-US" }),
    ...more,
  });
  context.setDefaultTimeout(HANG_MS);
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, requests, problems, [Symbol.asyncDispose]: () => context.close() };
}
