"use strict";

const { writeFileSync } = require("node:fs");

/**
 * The last line of a test run: `N passed, N failed`. A suite that cannot run counts as a failure, and so does a run without any
 * test: a mistyped path must not pass. TEST_SUMMARY_FILE names a file to write the line to as well.
 */
class SummaryReporter {
  /** @type {Error | undefined} */
  #failure;

  /**
   * @param {Set<unknown>} _contexts
   * @param {import("@jest/reporters").AggregatedResult} results
   */
  onRunComplete(_contexts, results) {
    const { passed, failed } = countTests(results);
    const line = `${passed} passed, ${failed} failed`;
    const file = process.env.TEST_SUMMARY_FILE;
    if (file) writeFileSync(file, `${line}\n`);
    // Jest's own summary comes after all other reporters.
    process.once("exit", () => process.stderr.write(`${line}\n`));
    if (failed > 0 && results.success) this.#failure = new Error(line);
  }

  /** Jest asks for this to decide whether the run failed. */
  getLastError() {
    return this.#failure;
  }
}

/**
 * @param {Pick<import("@jest/reporters").AggregatedResult,
 *   "numPassedTests" | "numFailedTests" | "numRuntimeErrorTestSuites" | "wasInterrupted">} results
 */
function countTests(results) {
  const passed = results.numPassedTests;
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (results.wasInterrupted ? 1 : 0);
  return { passed, failed: passed + failed === 0 ? 1 : failed };
}

module.exports = SummaryReporter;
module.exports.countTests = countTests;
