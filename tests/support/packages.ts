import { execFile } from "node:child_process";
import { glob, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { defined } from "../../values/defined";
import { CHECKOUT, makeOnce } from "./checkout";

/** The output of `npm pack` about a package. */
export interface Packed {
  /** The tarball. */
  readonly file: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The package as it is published; packed once a test run, by whichever worker needs it first. */
export const packedPackage = (): Promise<Packed> => packOnce("package");

/** The emulator's package, likewise. */
export const packedEmulator = (): Promise<Packed> => packOnce("emulator-package", "--workspace", "emulator");

async function packOnce(name: string, ...options: string[]): Promise<Packed> {
  const folder = await makeOnce(name, async (draft) => {
    await writeFile(path.join(draft, "pack.json"), JSON.stringify(await pack("--pack-destination", draft, ...options)));
  });
  const { filename, ...said } = JSON.parse(await readFile(path.join(folder, "pack.json"), "utf8"));
  return { ...said, file: path.join(folder, filename) };
}

/** Runs `npm pack` on the checkout; `--workspace emulator` is for the emulator's package. */
async function pack(...options: string[]): Promise<Omit<Packed, "file"> & { readonly filename: string }> {
  const answer = JSON.parse(await npm(["pack", "--json", ...options], CHECKOUT));
  return (Array.isArray(answer) ? answer : Object.values(answer))[0];
}

export async function npm(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const settings = { cwd, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
  return (await promisify(execFile)("npm", args, settings)).stdout;
}

type Ranges = Readonly<Record<string, string>>;

/**
 * A folder with both packed packages and with everything that they and the examples declare, and `@pulumi/policy`, which
 * docs/guides/auditInCi.md installs: a page declares nothing, so another package that a page installs must be added here. Made once a test run.
 * Others' packages are links to this checkout, and npm says whether the declared ranges include their versions. A package that
 * none of them declares cannot be imported.
 */
export function packedInstallation(): Promise<string> {
  return makeOnce("installation", async (draft) => {
    const { peerDependencies } = await readManifest(path.join(CHECKOUT, "package.json"));
    const declared = { ...(await readDeclared({ "@pulumi/policy": peerDependencies["@pulumi/policy"] })) };
    const modules = path.join(draft, "node_modules");
    const own = { "pulumi-event-datasets": await packedPackage(), "event-datasets-emulator": await packedEmulator() };
    for (const [name, { file }] of Object.entries(own)) {
      const folder = path.join(modules, name);
      await mkdir(folder, { recursive: true });
      await promisify(execFile)("tar", ["xzf", file, "-C", folder, "--strip-components=1"]);
      const { dependencies } = await readManifest(path.join(folder, "package.json"));
      declare(declared, name, dependencies);
    }
    for (const name of Object.keys(declared).filter((name) => !(name in own))) {
      const place = path.join(modules, name);
      await mkdir(path.dirname(place), { recursive: true });
      await symlink(path.join(CHECKOUT, "node_modules", name), place);
    }
    await writeFile(path.join(draft, "package.json"), JSON.stringify({ private: true, dependencies: declared }));
    await npm(["ls", "--depth=0"], draft);
  });
}

async function readDeclared(more: Ranges): Promise<Ranges> {
  const exclude = (name: string) => path.basename(name) === "node_modules";
  const files = glob("examples/**/package.json", { cwd: CHECKOUT, exclude });
  const declared: Record<string, string> = { ...more };
  for await (const file of files) {
    const { dependencies, devDependencies } = await readManifest(path.join(CHECKOUT, file));
    declare(declared, file, { ...dependencies, ...devDependencies });
  }
  return declared;
}

/** @throws Error if another place declares another range: then only one of the ranges would be tried */
function declare(declared: Record<string, string>, place: string, ranges: Ranges): void {
  for (const [name, range] of Object.entries(ranges)) {
    declared[name] ??= range;
    if (declared[name] !== range) throw new Error(`${place}: ${name} ${range} is ${declared[name]} elsewhere`);
  }
}

const readManifest = async (file: string) => JSON.parse(await readFile(file, "utf8"));

/**
 * Shell functions that type `npm install` and `npx` of a page in a fraction of a second: they link packages of the test run's one
 * installation, and start their commands without npm. Other commands of npm are npm's own. `tests/e2e/quickStart` types a new user's
 * first installation, and the commands of its packages, for real.
 */
export async function linkedNpm(): Promise<string> {
  const script = path.join(__dirname, "../package/linkPackages.mts");
  return `npm() {
  if [ "$1" = install ]; then node '${script}' '${await packedInstallation()}' "$@"; else command npm "$@"; fi
}
npx() { [ "$1" = --yes ] && shift; PATH="$PWD/node_modules/.bin:$PATH" "$@"; }
`;
}

/**
 * npm itself, in a shell, which installs the packed packages by their names. Its settings are this machine's: a registry, a certificate,
 * and the packages that it has already.
 */
export async function realNpm(): Promise<{ readonly npm: string; readonly env: Readonly<Record<string, string>> }> {
  const packed = { "pulumi-event-datasets": await packedPackage(), "event-datasets-emulator": await packedEmulator() };
  const files = Object.values(packed).map(({ file }) => `'${file}'`);
  const cases = Object.entries(packed).map(([name, { file }]) => `${name}) one='${file}' ;;`);
  const script = `npm() {
  local one args=()
  for one in "$@"; do
    case $one in ${cases.join(" ")} esac
    args+=("$one")
  done
  if [ "$*" = install ]; then args+=(${files.join(" ")}); fi
  command npm "\${args[@]}"
}
`;
  const names = ["registry", "userconfig", "cache"];
  // A line NAME=value for each.
  const lines = (await npm(["config", "get", ...names], CHECKOUT)).trim().split("\n");
  const settings = names.map(
    (name) => [`npm_config_${name}`, lines.find((line) => line.startsWith(`${name}=`))] as const,
  );
  return {
    npm: script,
    env: {
      ...defined({ NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
      ...Object.fromEntries(settings.map(([name, line = "="]) => [name, line.slice(line.indexOf("=") + 1)])),
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
    },
  };
}
