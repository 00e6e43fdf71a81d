// @ts-check
// Builds public clients from the registries, lets each call every operation on the emulator, and records the requests that it sent.
// The Terraform provider's Go module has no importable name, so its source comes from its repository; its tests need terraform on PATH.
// tests/emulator/witnesses replays them.
//   npm run witnesses                all clients
//   npm run witnesses -- go rust     some of them
import { spawnSync } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "event-datasets-emulator";
import { formatLikeTheTree } from "./generate/produce.mjs";
import { log } from "./steps/log.mjs";
import { startRecorder } from "./witnesses/recorder.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const PROGRAMS = path.join(ROOT, "scripts", "witnesses");
const FIXTURES = path.join(ROOT, "tests", "fixtures", "witnesses");

const CARGO = `[package]
name = "witness"
version = "0.0.0"
edition = "2021"
[[bin]]
name = "witness"
path = "witness.rs"
[dependencies]
axiom-rs = { version = "=0.11.6", default-features = false, features = ["tokio", "rustls-tls"] }
chrono = "0.4"
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
`;

/** The program of each client, the commands that build it, and the one that runs it. */
/** @type {Readonly<Record<string, { client: string, program?: string, files?: Record<string, string>, build: string[][], run: string[] }>>} */
const witnesses = {
  go: {
    client: "axiom-go 0.31.1",
    program: "witness.go",
    build: [
      ["go", "mod", "init", "witness"],
      ["go", "get", "github.com/axiomhq/axiom-go/axiom@v0.31.1"],
      ["go", "build", "-o", "witness", "."],
    ],
    run: ["./witness"],
  },
  javascript: {
    client: "@axiomhq/js 2.0.0",
    program: "witness.mjs",
    files: { "package.json": "{}" },
    build: [["npm", "install", "--no-save", "@axiomhq/js@2.0.0"]],
    run: ["node", "witness.mjs"],
  },
  python: {
    client: "axiom-py 0.15.0",
    program: "witness.py",
    build: [
      ["python3", "-m", "venv", "venv"],
      ["venv/bin/pip", "install", "--quiet", "axiom-py==0.15.0"],
    ],
    run: ["venv/bin/python", "witness.py"],
  },
  rust: {
    client: "axiom-rs 0.11.6",
    program: "witness.rs",
    files: { "Cargo.toml": CARGO },
    build: [["cargo", "build", "--quiet"]],
    run: ["target/debug/witness"],
  },
  terraform: {
    client: "terraform-provider-axiom 1.6.1",
    build: [
      ["rm", "-rf", "source"],
      [
        "git",
        "clone",
        "--quiet",
        "--depth=1",
        "--branch=v1.6.1",
        `https://github.com/axiomhq/terraform-provider-axiom`,
        "source",
      ],
      ["go", "test", "-C", "source", "-c", "-o", "../acceptance", "./axiom"],
    ],
    // The others are about datasets, monitors, dashboards and users.
    run: ["./acceptance", "-test.run", "^(TestAccTokenResource_.*|TestAccAxiomResources_capabilities)$"],
  },
};

/** @param {string[]} command @param {string} cwd @param {NodeJS.ProcessEnv} [env] */
function execute([program = "", ...args], cwd, env = {}) {
  const { status, error } = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `exit code ${status}`}`);
}

/** @param {string} name */
async function record(name) {
  const witness = witnesses[name];
  if (!witness) throw new Error(`unknown client ${name}: ${Object.keys(witnesses).join(", ")}`);
  const { client, program, files = {}, build, run } = witness;
  const folder = path.join(ROOT, ".cache", "witnesses", name);
  await fs.rm(path.join(folder, "go.mod"), { force: true });
  await fs.mkdir(folder, { recursive: true });
  if (program) await fs.copyFile(path.join(PROGRAMS, program), path.join(folder, program));
  for (const [file, content] of Object.entries(files)) await fs.writeFile(path.join(folder, file), content);
  for (const command of build) execute(command, folder);

  const dataDir = await fs.mkdtemp(path.join(folder, "data-"));
  const emulator = await startEmulator({ dataDir, profile: "extended" });
  const recorder = await startRecorder(emulator.url);
  try {
    const env = { AXIOM_URL: recorder.url, AXIOM_TOKEN: emulator.rootToken, TF_ACC: "1", CHECKPOINT_DISABLE: "1" };
    await recorder.watch(run, folder, env);
  } finally {
    await recorder.close();
    await emulator.close();
  }
  await fs.mkdir(FIXTURES, { recursive: true });
  const file = path.join(FIXTURES, `${name}.json`);
  await fs.writeFile(
    file,
    await formatLikeTheTree(ROOT, file, JSON.stringify({ client, requests: recorder.requests })),
  );
  log(`${client}: ${recorder.requests.length} requests recorded`);
}

const selected = process.argv.slice(2);
for (const name of selected.length > 0 ? selected : Object.keys(witnesses)) await record(name);
