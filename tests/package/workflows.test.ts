import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { filesBelow } from "../support/checkout";
import { CHECKOUT } from "../support/program";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly uses?: string;
        readonly needs?: string | readonly string[];
        readonly permissions?: Readonly<Record<string, string>>;
        readonly "timeout-minutes"?: number;
        readonly steps: readonly Step[];
      }
    >
  >;
}

const read = (file: string) => readFileSync(path.join(CHECKOUT, file), "utf8");
const { scripts } = JSON.parse(read("package.json"));

// The workflow itself cannot run here.
test("the release workflow tests before it publishes, with provenance, and with no more rights than that takes", () => {
  const text = read(".github/workflows/release.yml");
  const workflow: Workflow = parse(text);
  expect(workflow.on.push.tags).toEqual(["v*"]);
  expect(workflow.permissions).toEqual({ contents: "read" });
  const { matrix, managers, build, publish, files, site } = workflow.jobs;
  const commandsOf = (job: typeof publish) => job?.steps.flatMap(({ run }) => run ?? []);
  expect(matrix).toEqual({ uses: "./.github/workflows/matrix.yml" });
  expect(commandsOf(managers)).toEqual(["npm ci --ignore-scripts", "npm run managers"]);
  expect(commandsOf(build)).toEqual([
    "npm ci --ignore-scripts",
    ".ci/run",
    "npm run fuzz",
    "node scripts/release.mjs",
    "node scripts/release.mjs emulator",
    "npm run generate",
    "npm run package -- --testNamePattern '^(?!there is no address)'",
    "node scripts/releaseFiles.mjs .cache/release",
    "npm run docs",
  ]);
  // The job that may publish checks nothing out, installs nothing and runs no code of ours.
  expect(publish).toMatchObject({
    needs: ["matrix", "managers", "build"],
    permissions: { contents: "read", "id-token": "write" },
  });
  expect(publish?.steps.flatMap(({ uses }) => uses?.split("@")[0] ?? [])).toEqual([
    "actions/setup-node",
    "actions/download-artifact",
  ]);
  expect(commandsOf(publish)).toEqual([
    "sha256sum --check SHA256SUMS",
    "npm publish ./event-datasets-emulator-*.tgz --ignore-scripts --provenance --access public",
    "npm publish ./pulumi-event-datasets-[0-9]*.tgz --ignore-scripts --provenance --access public",
  ]);
  expect(files).toMatchObject({ needs: "publish", permissions: { contents: "write" } });
  expect(commandsOf(files)).toEqual([
    "gh auth setup-git",
    '.ci/tagGoSdk .cache/release/go "$GITHUB_REF_NAME"',
    'find .cache/release -maxdepth 1 -type f -print0 | xargs -0 gh release create "$GITHUB_REF_NAME" --verify-tag --generate-notes',
  ]);
  expect(site).toMatchObject({ needs: "publish", permissions: { pages: "write", "id-token": "write" } });
  expect(site?.steps.map(({ uses }) => uses?.split("@")[0])).toEqual(["actions/deploy-pages"]);
  const steps = [managers, build, publish, files, site].flatMap((job) => job?.steps ?? []);
  const scriptsRun = steps.flatMap(({ run }) => run?.match(/^npm run ([\w-]+)/)?.[1] ?? []);
  expect(scriptsRun.filter((name) => !(name in scripts))).toEqual([]);
  // A value of the event put into a command could become a part of it.
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  // Trusted publishing: npm accepts the workflow's identity. The workflow's own token writes the release.
  expect(text).not.toMatch(/secrets\./);
  expect(text.match(/^.*_TOKEN.*$/gm)).toEqual([expect.stringMatching(/GH_TOKEN: \$\{\{ github\.token }}$/)]);
});

test("a pull request is checked as a whole, by a workflow that may only read", () => {
  const { on, permissions, jobs }: Workflow = parse(read(".github/workflows/check.yml"));
  expect(Object.keys(on)).toEqual(["pull_request", "push"]);
  expect(permissions).toEqual({ contents: "read" });
  expect(jobs.check?.steps.flatMap(({ run }) => run ?? [])).toEqual(["npm ci --ignore-scripts", ".ci/run"]);
});

test("what is promised is tried with other versions of Pulumi, the newest one too, every week and before a release", () => {
  const { on, permissions, jobs }: Workflow = parse(read(".github/workflows/matrix.yml"));
  expect(Object.keys(on)).toEqual(["schedule", "workflow_dispatch", "workflow_call"]);
  expect(permissions).toEqual({ contents: "read" });
  expect(jobs.matrix?.["timeout-minutes"]).toBeGreaterThan(0);
  expect(jobs.matrix?.steps.flatMap(({ run }) => run ?? [])).toEqual([
    "npm ci --ignore-scripts",
    "npm run matrix",
    "npm run matrix -- latest/latest",
  ]);
});

test("every action of ours, of the examples and of the pages is pinned by commit: its owner can move a tag", () => {
  const filesIn = (folder: string) => filesBelow(folder, /\.(ya?ml|md)$/);
  const files = ["action.yml", "README.md", ...[".github", "examples", "docs", "audit/templates"].flatMap(filesIn)];
  // An action in a folder, such as the one of the installed package, has no version of its own.
  const uses = files.flatMap((file) => read(file).match(/^ *(?:- )?uses: +(?!\.\/).*$/gm) ?? []);
  expect(uses.length).toBeGreaterThan(12);
  expect(uses.filter((line) => !/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  // One version of an action in all of them.
  const versions = new Map<string, Set<string>>();
  for (const line of uses) {
    const [, action = "", version = ""] = /uses: (\S+)@(.*)$/.exec(line) ?? [];
    versions.set(action, (versions.get(action) ?? new Set()).add(version));
  }
  expect([...versions].filter(([, found]) => found.size > 1)).toEqual([]);
});

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

test("no dependency runs a script when it is installed, and all that is installed has a hash in the lockfile", () => {
  expect(read(".npmrc").split("\n")).toContain("ignore-scripts=true");
  const packages: Readonly<Record<string, Locked>> = JSON.parse(read("package-lock.json")).packages;
  const installed = Object.keys(JSON.parse(read("node_modules/.package-lock.json")).packages);
  const foreign = Object.keys(packages).filter((place) => place.includes("node_modules/") && !packages[place]?.link);
  const bare = foreign.filter((place) => !/^sha512-/.test(packages[place]?.integrity ?? ""));
  expect(installed.length).toBeGreaterThan(300);
  expect(installed.filter((place) => bare.includes(place))).toEqual([]);

  // design/maintaining.md documents the rest: the binaries of four tools for other platforms.
  const isElsewhere = ({ optional, os = [], cpu = [], libc = [] }: Locked) =>
    optional && !(os.includes("linux") && cpu.includes("x64") && !libc.includes("musl"));
  const suspects = bare.filter((place) => !/-musl$/.test(place) && !isElsewhere(packages[place] ?? {}));
  expect(suspects).toEqual([]);
  const families = bare.map((place) => place.replace(/^node_modules\/(@[^/]+)\/.*$/, "$1"));
  const count = Object.fromEntries(
    [...new Set(families)].map((name) => [name, families.filter((one) => one === name).length]),
  );
  expect(count).toEqual({ "@biomejs": 8, "@duckdb": 6, "@swc": 8, "@unrs": 17 });
});
