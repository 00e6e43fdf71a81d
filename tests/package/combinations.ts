/** How a program is installed, written and run. */
export interface Combination {
  readonly manager: keyof typeof managers;
  readonly form: keyof typeof forms;
  readonly sdk: "3.216.0" | "3.270.0";
  readonly node: keyof typeof nodes;
}

interface Manager {
  /** The npm packages that have it. */
  readonly packages: readonly string[];
  readonly install: readonly string[];
  /** The files of a project besides its package.json. */
  readonly files?: Readonly<Record<string, string>>;
}

export const managers = {
  npm: { packages: [], install: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"] },
  pnpm: {
    packages: ["pnpm@12.21.0"],
    install: ["pnpm", "install", "--prefer-offline", "--ignore-scripts"],
    // A package finds only what it declares.
    files: { "pnpm-workspace.yaml": "hoist: false\nnodeLinker: isolated\nautoInstallPeers: false\n" },
  },
  "yarn 1": {
    packages: ["yarn@1.22.22"],
    install: ["yarn", "install", "--non-interactive", "--prefer-offline", "--ignore-scripts"],
  },
  "yarn 4": {
    packages: ["@yarnpkg/cli-dist@4.18.1"],
    install: ["yarn", "install", "--no-immutable"],
    files: {
      ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\nenableScripts: false\n",
      "yarn.lock": "",
    },
  },
  bun: { packages: ["bun@1.4.5"], install: ["bun", "install", "--ignore-scripts"] },
} satisfies Readonly<Record<string, Manager>>;

interface Form {
  /** The members of package.json. */
  readonly manifest: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

const declared = `new ApiToken("ci", { expiresAt: "2030-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } })`;
const source = `import { ApiToken } from "pulumi-event-datasets";\nexport const tokenName = ${declared}.name;\n`;

/** @param settings of the compiler, besides those that every form has */
const typescript = (version: string, settings: object): Form => ({
  manifest: {},
  dependencies: { typescript: version, "@types/node": "22.20.5" },
  files: {
    "index.ts": source,
    "tsconfig.json": JSON.stringify({
      compilerOptions: { strict: true, target: "es2022", skipLibCheck: true, ...settings },
      files: ["index.ts"],
    }),
  },
});

export const forms = {
  CommonJS: {
    manifest: { main: "index.js" },
    files: {
      "index.js": `const { ApiToken } = require("pulumi-event-datasets");\nexports.tokenName = ${declared}.name;\n`,
    },
  },
  "ES module": { manifest: { main: "index.js", type: "module" }, files: { "index.js": source } },
  // As `pulumi new typescript` writes it.
  "TypeScript 5.9": typescript("5.9.3", { module: "commonjs", moduleResolution: "node" }),
  // The oldest SDK does not support it.
  "TypeScript 6": typescript("6.0.3", { module: "nodenext", moduleResolution: "nodenext", types: ["node"] }),
} satisfies Readonly<Record<string, Form>>;

/** The npm packages that hold each Node.js; none for the one that runs the tests. */
export const nodes = { "Node.js 22": [], "Node.js 24": ["node@24.9.0"] } as const;

/**
 * Every package manager, form, SDK and Node.js, and every package manager with both of each. The first one differs most from the
 * other suites, which install with npm: a strict layout, and the oldest SDK and TypeScript.
 */
export const combinations: readonly [Combination, ...Combination[]] = [
  { manager: "pnpm", form: "TypeScript 5.9", sdk: "3.216.0", node: "Node.js 22" },
  { manager: "pnpm", form: "ES module", sdk: "3.270.0", node: "Node.js 24" },
  { manager: "npm", form: "CommonJS", sdk: "3.216.0", node: "Node.js 24" },
  { manager: "npm", form: "TypeScript 6", sdk: "3.270.0", node: "Node.js 22" },
  { manager: "yarn 1", form: "CommonJS", sdk: "3.270.0", node: "Node.js 22" },
  { manager: "yarn 1", form: "TypeScript 5.9", sdk: "3.216.0", node: "Node.js 24" },
  { manager: "yarn 4", form: "ES module", sdk: "3.216.0", node: "Node.js 22" },
  { manager: "yarn 4", form: "TypeScript 6", sdk: "3.270.0", node: "Node.js 24" },
  { manager: "bun", form: "TypeScript 6", sdk: "3.270.0", node: "Node.js 24" },
  { manager: "bun", form: "ES module", sdk: "3.216.0", node: "Node.js 22" },
];
