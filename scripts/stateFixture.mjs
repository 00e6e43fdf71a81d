// @ts-check
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const FIXTURES = path.join(ROOT, "tests", "fixtures", "state");
const STACK = "dev";
/** The test knows it too. */
const PASSPHRASE = "a passphrase of the fixtures";
/** The service in what is kept. Nobody listens there: a preview sends nothing. */
const SERVICE = "https://service.invalid";

/**
 * The folder of this version's fixture. A new version starts with the program of the last one.
 * @returns {Promise<string>}
 */
async function fixtureFolder() {
  const { version } = JSON.parse(await fs.readFile(path.join(ROOT, "package.json"), "utf8"));
  const folder = path.join(FIXTURES, `v${version}`);
  const versions = (await fs.readdir(FIXTURES)).filter((name) => name.startsWith("v"));
  const last = versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  if (last && !versions.includes(path.basename(folder))) {
    for (const name of ["Pulumi.yaml", "index.ts"]) {
      await fs.cp(path.join(FIXTURES, last, name), path.join(folder, name));
    }
  }
  return folder;
}

/**
 * @param {string} data
 * @param {string} rootToken
 */
async function startService(data, rootToken) {
  const child = spawn(process.execPath, [path.join(ROOT, "emulator/dist/main.js"), "--data", data, "--port", "0"], {
    env: { ...process.env, EVENT_DATASETS_ROOT_TOKEN: rootToken },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url) return { url, stop: () => child.kill("SIGTERM") };
  }
  throw new Error("the emulator ended");
}

/**
 * A token as somebody made it by hand, for the program to adopt.
 * @param {string} url
 * @param {string} rootToken
 * @returns {Promise<string>} its secret
 */
async function makeByHand(url, rootToken) {
  const answer = await fetch(`${url}/v2/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: "made by hand",
      expiresAt: "2999-01-01T00:00:00Z",
      orgCapabilities: { apiTokens: ["read"] },
    }),
  });
  if (answer.status !== 200) throw new Error(`POST /v2/tokens answered ${answer.status}`);
  return /** @type {{ token: string }} */ (await answer.json()).token;
}

/**
 * Deploys the program of a fixture and gives back what the engine stored.
 * @param {string} source
 * @param {string} folder temporary
 */
async function deploy(source, folder) {
  const program = path.join(folder, "program");
  for (const name of ["Pulumi.yaml", "index.ts"]) await fs.cp(path.join(source, name), path.join(program, name));
  await fs.symlink(path.join(ROOT, "node_modules"), path.join(program, "node_modules"));
  await fs.mkdir(path.join(folder, "backend"));
  const rootToken = `xaat-${randomUUID()}`;
  const service = await startService(path.join(folder, "service"), rootToken);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    EVENT_DATASETS_BASE_URL: service.url,
    EVENT_DATASETS_ACCESS_TOKEN: rootToken,
  };
  /** @param {string[]} args */
  const pulumi = async (...args) => {
    const options = { cwd: program, env, maxBuffer: 16 * 1024 * 1024 };
    return (await promisify(execFile)("pulumi", [...args, "--non-interactive", "--stack", STACK], options)).stdout;
  };
  try {
    await pulumi("stack", "init");
    await pulumi("config", "set", "--plaintext", "url", service.url);
    await pulumi("config", "set", "--secret", "accessToken", rootToken);
    await pulumi("config", "set", "--secret", "adopted", await makeByHand(service.url, rootToken));
    await pulumi("config", "set", "--secret", "description", "a description that is a secret");
    await pulumi("up", "--yes", "--skip-preview");
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    const state = await pulumi("stack", "export");
    const config = await fs.readFile(path.join(program, `Pulumi.${STACK}.yaml`), "utf8");
    return { url: service.url, state, config };
  } finally {
    service.stop();
  }
}

/**
 * The engine's state without source positions, which hold paths of this machine.
 * @param {string} state
 */
const withoutPlaces = (state) =>
  JSON.stringify(JSON.parse(state), (key, value) =>
    key === "sourcePosition" || key === "stackTrace" ? undefined : value,
  );

/**
 * Writes the state that the present code makes: `tests/e2e/upgrade.test.ts` previews it with every later version. The
 * address of the service becomes one that means nothing.
 */
async function main() {
  const fixture = await fixtureFolder();
  const folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "event-datasets-fixture-")));
  try {
    const { url, state, config } = await deploy(fixture, folder);
    const files = { "stack.json": withoutPlaces(state), [`Pulumi.${STACK}.yaml`]: config };
    for (const [name, content] of Object.entries(files)) {
      await fs.writeFile(path.join(fixture, name), content.replaceAll(url, SERVICE));
    }
    await promisify(execFile)("biome", ["format", "--write", fixture], { cwd: ROOT });
    process.stderr.write(`wrote ${path.relative(ROOT, fixture)}\n`);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

main().catch((failure) => {
  process.stderr.write(
    `state fixture: ${failure?.stdout ?? ""}${failure instanceof Error ? failure.message : failure}\n`,
  );
  process.exitCode = 1;
});
