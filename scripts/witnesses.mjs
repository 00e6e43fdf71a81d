// @ts-check
// Builds public clients from the registries, lets each call every operation on the emulator, and records the requests that it sent.
// The Terraform provider's Go module has no importable name, so its source comes from its repository. Its acceptance tests, and a
// configuration of our own, run with terraform or tofu on PATH, or with an OpenTofu that is built from its Go module.
// tests/emulator/witnesses replays them.
//   npm run witnesses                all clients
//   npm run witnesses -- go rust     some of them
import { execFileSync } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { startEmulator } from "event-datasets-emulator";
import { formatLikeTheTree } from "./generate/produce.mjs";
import { startRecorder } from "./witnesses/recorder.mjs";

const ROOT = path.resolve(import.meta.dirname, "..");

/**
 * For each client its program, the file that it becomes, and the shell commands that build it, run it, and print the newest version.
 * @typedef {{ client: string, program?: readonly [string, string], build: string, run: string, newest: string }} Witness
 */
/** @type {Readonly<Record<string, Witness>>} */
const witnesses = {
  go: {
    client: "axiom-go 0.37.0",
    program: ["witness.go", "main.go"],
    build: "go mod init witness && go get github.com/axiomhq/axiom-go/axiom@v0.37.0 && go build -o witness .",
    run: "./witness",
    // The proxy lists no version after 0.25, and serves newer ones all the same.
    newest:
      "n=37; while go list -m github.com/axiomhq/axiom-go@v0.$((n + 1)).0 2>&1; do n=$((n + 1)); done >&2; echo 0.$n.0",
  },
  javascript: {
    client: "@axiomhq/js 2.0.0",
    program: ["witness.mjs", "main.mjs"],
    build: "npm init --yes && npm install @axiomhq/js@2.0.0",
    run: "node main.mjs",
    newest: "npm view @axiomhq/js version",
  },
  python: {
    client: "axiom-py 0.15.0",
    program: ["witness.py", "main.py"],
    build: "python3 -m venv venv && venv/bin/pip install --quiet axiom-py==0.15.0",
    run: "venv/bin/python main.py",
    newest: "venv/bin/pip index versions axiom-py | sed -n 's/.*(\\(.*\\)).*/\\1/p'",
  },
  rust: {
    client: "axiom-rs 0.11.6",
    program: ["witness.rs", "src/main.rs"],
    build: `cargo init --quiet --bin --vcs none --edition 2021 --name witness &&
      cargo add --quiet axiom-rs@=0.11.6 --no-default-features --features tokio,rustls-tls &&
      cargo add --quiet chrono serde_json url && cargo add --quiet tokio --features macros,rt-multi-thread`,
    run: "cargo run --quiet",
    newest: "cargo info --quiet axiom-rs | sed -n 's/^version: *//p'",
  },
  terraform: {
    client: "terraform-provider-axiom 1.6.1",
    build: `git clone --quiet --depth=1 --branch=v1.6.1 https://github.com/axiomhq/terraform-provider-axiom source &&
      go test -C source -c -o ../acceptance ./axiom && go build -C source -o ../terraform-provider-axiom . &&
      cp ../../../scripts/witnesses/terraform.sh ../../../scripts/witnesses/witness.tf . &&
      if found=$(command -v terraform || command -v tofu); then ln -s "$found" terraform; else
        module=$(go mod download -json github.com/opentofu/opentofu@v1.11.4 | sed -n 's/.*"Dir": "\\(.*\\)".*/\\1/p') &&
          go build -C "$module" -mod=readonly -o "$PWD/terraform" ./cmd/tofu
      fi`,
    // The other acceptance tests are about monitors, dashboards and users too.
    run: `export TF_ACC_TERRAFORM_PATH="$PWD/terraform" &&
      case "$(./terraform version)" in OpenTofu*) export TF_ACC_PROVIDER_HOST=registry.opentofu.org ;; esac &&
      ./acceptance -test.run '^(TestAccTokenResource_.*|TestAccAxiomResources_capabilities|TestAccDataset.*)$' &&
      sh terraform.sh ./terraform`,
    newest: "git -C source ls-remote --tags --sort=-version:refname origin 'v*' | sed -n '1s/.*tags.v//p'",
  },
};

/** @param {string} name */
async function record(name) {
  const witness = witnesses[name];
  if (!witness) throw new Error(`unknown client ${name}: ${Object.keys(witnesses).join(", ")}`);
  const { client, program, build, run, newest } = witness;
  const folder = path.join(ROOT, ".cache", "witnesses", name);
  await fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(path.join(folder, "src"), { recursive: true });
  if (program) await fs.copyFile(path.join(ROOT, "scripts/witnesses", program[0]), path.join(folder, program[1]));
  execFileSync("sh", ["-ec", build], { cwd: folder, stdio: "inherit" });

  const emulator = await startEmulator({ dataDir: path.join(folder, "data"), profile: "extended" });
  const recorder = await startRecorder(emulator.url);
  try {
    const env = { AXIOM_URL: recorder.url, AXIOM_TOKEN: emulator.rootToken, TF_ACC: "1", CHECKPOINT_DISABLE: "1" };
    await recorder.watch(run, folder, env);
  } finally {
    await recorder.close();
    await emulator.close();
  }
  const file = path.join(ROOT, "tests", "fixtures", "witnesses", `${name}.json`);
  const content = JSON.stringify({ client, requests: recorder.requests });
  await fs.writeFile(file, await formatLikeTheTree(ROOT, file, content));
  const served = execFileSync("sh", ["-ec", newest], { cwd: folder, encoding: "utf8" }).trim();
  console.log(
    `${client}: ${recorder.requests.length} requests recorded; the newest version that is served is ${served}`,
  );
}

const selected = process.argv.slice(2);
for (const name of selected.length > 0 ? selected : Object.keys(witnesses)) await record(name);
