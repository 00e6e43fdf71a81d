// @ts-check
import path from "node:path";

/** The oldest SDK that works with TypeScript 6, which the template of the README declares. */
const SDK_FOR_TYPESCRIPT_6 = "3.229.0";
/** The first release with the option `hooks.onError`. */
const FIRST_WITH_ERROR_HOOKS = "3.218.0";

/** The first release that starts a policy pack by the path of a program, as the tests do. */
const FIRST_WITH_PACK_PROGRAMS = "3.255.0";

/**
 * A promise that depends on the engine: the suites that show it, and the oldest versions that it is made for.
 * @typedef {{ suites: readonly string[], oldestCli?: string, oldestSdk?: string }} Promised
 */
/** @type {Readonly<Record<string, Promised>>} */
export const promises = {
  "The README and the quick start, as typed": {
    suites: ["tests/e2e/quickStart"],
    oldestSdk: SDK_FOR_TYPESCRIPT_6,
  },
  "Rotation, and the end of the old token": {
    suites: [
      "tests/e2e/rotation",
      "tests/e2e/promises/oldTokens",
      "tests/e2e/promises/ownCredential",
      "tests/e2e/promises/interruptedRotation",
    ],
  },
  "Failures and lost responses": { suites: ["tests/e2e/failures"] },
  "The hook `onError`": {
    suites: ["tests/e2e/promises/repeatedHooks"],
    oldestCli: FIRST_WITH_ERROR_HOOKS,
    oldestSdk: FIRST_WITH_ERROR_HOOKS,
  },
  Drift: { suites: ["tests/e2e/drift"] },
  "Secrets are encrypted and not printed": {
    suites: ["tests/e2e/leakScan", "tests/e2e/promises/secretArguments", "tests/e2e/sealing/sealing"],
  },
  Transforms: { suites: ["tests/e2e/promises/transforms"] },
  "Other resource options and hooks": { suites: ["tests/e2e/options/everyOption"] },
  "`--target`": { suites: ["tests/e2e/promises/otherHands"] },
  "`pulumi import`": { suites: ["tests/native/languages/imports"] },
  "Policy pack": { suites: ["tests/e2e/policyPack"], oldestCli: FIRST_WITH_PACK_PROGRAMS },
};

/** A Pulumi CLI and an SDK for Node.js, as "CLI/SDK": equal ages, and each extreme with the other one. */
export const combinations = [
  "3.216.0/3.216.0",
  "3.216.0/3.276.0",
  "3.259.0/3.270.0",
  "3.276.0/3.216.0",
  "3.276.0/3.276.0",
];

const isOlder = (/** @type {string} */ version, /** @type {string} */ than) =>
  version.localeCompare(than, "en", { numeric: true }) < 0;

/** @param {string} sdk */
export const worksWithTypescript6 = (sdk) => !isOlder(sdk, SDK_FOR_TYPESCRIPT_6);

/**
 * The promises that are made for a combination, each with its suites.
 * @param {string} combination
 * @returns {Record<string, readonly string[]>}
 */
export function suitesFor(combination) {
  const [cli = "", sdk = ""] = combination.split("/");
  const made = Object.entries(promises).filter(
    ([, { oldestCli = "0", oldestSdk = "0" }]) => !isOlder(cli, oldestCli) && !isOlder(sdk, oldestSdk),
  );
  return Object.fromEntries(made.map(([promise, { suites }]) => [promise, suites]));
}

/** The names of the tests that failed, by promise. @typedef {Record<string, string[]>} Outcomes */
/** @typedef {{ fullName: string, status: string }} Assertion */
/** As Jest writes it. @typedef {{ testResults: { name: string, assertionResults: Assertion[] }[] }} Report */

/**
 * @param {ReturnType<typeof suitesFor>} wanted
 * @param {Report} report
 * @param {string} root of the checkout that the tests ran in
 * @returns {Outcomes}
 */
export function judge(wanted, { testResults }, root) {
  const results = new Map(testResults.map((one) => [path.relative(root, one.name), one.assertionResults]));
  const judgeSuite = (/** @type {string} */ suite) => {
    const tests = results.get(`${suite}.test.ts`) ?? [];
    if (tests.length === 0) return [`${suite} did not run`];
    return tests.flatMap(({ fullName, status }) => (status === "passed" ? [] : [fullName]));
  };
  return Object.fromEntries(Object.entries(wanted).map(([promise, suites]) => [promise, suites.flatMap(judgeSuite)]));
}

/**
 * The tests whose outcome is not the recorded one, as sentences. Without a record, each test must pass.
 * @param {string} combination
 * @param {Outcomes} found
 * @param {Outcomes} [recorded]
 */
export function compare(combination, found, recorded = {}) {
  return Object.entries(found).flatMap(([promise, failed]) => {
    const before = recorded[promise] ?? [];
    const says = (/** @type {string} */ what) => (/** @type {string} */ test) =>
      `${combination}: ${promise}: ${what}: ${test}`;
    return [
      ...failed.filter((test) => !before.includes(test)).map(says("fails")),
      ...before.filter((test) => !failed.includes(test)).map(says("passes, and is recorded as failing")),
    ];
  });
}

/** @param {string} combination */
const shorten = (combination) => combination.replaceAll(/\.0(?=\/|$)/g, "").replace("/", " / ");

/**
 * The table as Markdown: a row for each promise, a column for each combination, and below it the tests that fail.
 * @param {Readonly<Record<string, Outcomes>>} table
 */
export function formatTable(table) {
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const heads = Object.keys(table).map(shorten);
  const cellOf = (/** @type {readonly string[] | undefined} */ failed) =>
    failed === undefined ? "–" : failed.length === 0 ? "yes" : "**no**";
  const failures = Object.keys(promises).flatMap((promise) =>
    Object.entries(table).flatMap(([combination, outcomes]) =>
      (outcomes[promise] ?? []).map((test) => `- ${promise}, ${shorten(combination)}: "${test}"`),
    ),
  );
  return [
    row(["CLI / SDK", ...heads]),
    row(["---", ...heads.map(() => "---")]),
    ...Object.keys(promises).map((promise) =>
      row([promise, ...Object.values(table).map((one) => cellOf(one[promise]))]),
    ),
    ...(failures.length > 0 ? ["", "These tests fail:", "", ...failures] : []),
  ].join("\n");
}
