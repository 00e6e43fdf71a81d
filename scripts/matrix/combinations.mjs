// @ts-check

/**
 * How a program is installed, written and run.
 * @typedef {object} Combination
 * @property {string} manager one of `managers`
 * @property {string} form one of `forms`
 * @property {string} sdk a version of the Pulumi SDK
 * @property {string} node a major version of Node.js
 */

/**
 * @typedef {object} Manager
 * @property {string} title
 * @property {string} tool the npm package that has it, with its version; none for npm, which is there
 * @property {string} bin
 * @property {string[]} install
 * @property {Record<string, string>} [files] what a project needs besides its package.json
 */

/** The commands of each package manager. @type {Record<string, Manager>} */
export const managers = {
  npm: {
    title: "npm",
    tool: "",
    bin: "npm",
    install: ["install", "--prefer-offline", "--no-audit", "--no-fund"],
  },
  pnpm: {
    title: "pnpm, strict",
    tool: "pnpm@12.21.0",
    bin: "pnpm",
    install: ["install", "--prefer-offline", "--ignore-scripts"],
    // Nothing is found that is not declared.
    files: {
      "pnpm-workspace.yaml": "hoist: false\nnodeLinker: isolated\nautoInstallPeers: false\n",
    },
  },
  yarn1: {
    title: "Yarn 1",
    tool: "yarn@1.22.22",
    bin: "yarn",
    install: ["install", "--non-interactive", "--prefer-offline", "--ignore-scripts"],
  },
  yarn4: {
    title: "Yarn 4, node-modules",
    tool: "@yarnpkg/cli-dist@4.18.1",
    bin: "yarn",
    install: ["install", "--no-immutable"],
    files: {
      ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\nenableScripts: false\n",
      "yarn.lock": "",
    },
  },
  bun: {
    title: "Bun",
    tool: "bun@1.4.5",
    bin: "bun",
    install: ["install", "--ignore-scripts"],
  },
};

const declared = `new ApiToken("ci", { expiresAt: "2030-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } })`;
const options = { strict: true, target: "es2022", skipLibCheck: true };

/**
 * @typedef {object} Form
 * @property {string} title
 * @property {string} [typescript] its version
 * @property {Record<string, string>} files
 * @property {"module"} [type]
 * @property {string[]} [refusedBy] versions of the SDK whose peer range excludes it
 */

/** How the program is written. @type {Record<string, Form>} */
export const forms = {
  cjs: {
    title: "CommonJS",
    files: {
      "index.js": `const { ApiToken } = require("pulumi-event-datasets");\nexports.tokenName = ${declared}.name;\n`,
    },
  },
  esm: {
    title: "ES module",
    type: "module",
    files: {
      "index.js": `import { ApiToken } from "pulumi-event-datasets";\nexport const tokenName = ${declared}.name;\n`,
    },
  },
  ts59: {
    title: "TypeScript 5.9",
    typescript: "5.9.3",
    // As `pulumi new typescript` writes it.
    files: {
      "index.ts": `import { ApiToken } from "pulumi-event-datasets";\nexport const tokenName = ${declared}.name;\n`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...options, module: "commonjs", moduleResolution: "node" },
        files: ["index.ts"],
      }),
    },
  },
  ts6: {
    title: "TypeScript 6",
    typescript: "6.0.3",
    refusedBy: ["3.216.0"],
    files: {
      "index.ts": `import { ApiToken } from "pulumi-event-datasets";\nexport const tokenName = ${declared}.name;\n`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...options, module: "nodenext", moduleResolution: "nodenext", types: ["node"] },
        files: ["index.ts"],
      }),
    },
  },
};

export const sdks = ["3.216.0", "3.270.0"];

/** With the npm packages that hold them; none: the one that runs this. @type {Record<string, string>} */
export const nodes = { 22: "node@22.23.3", 24: "node@24.9.0" };

/** Every combination. @returns {Combination[]} */
export const allCombinations = () =>
  Object.keys(managers).flatMap((manager) =>
    Object.entries(forms).flatMap(([form, { refusedBy = [] }]) =>
      sdks
        .filter((sdk) => !refusedBy.includes(sdk))
        .flatMap((sdk) => Object.keys(nodes).map((node) => ({ manager, form, sdk, node }))),
    ),
  );

/** @param {Combination} combination */
export const describeCombination = ({ manager, form, sdk, node }) =>
  `${managers[manager]?.title}, ${forms[form]?.title}, SDK ${sdk}, Node.js ${node}`;
