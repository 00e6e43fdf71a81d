"use strict";

const Sequencer = require("@jest/test-sequencer").default;

/** Suites that take long, most of them because they drive the real engine or a browser. */
const long = /\/tests\/(?:e2e|kills|faults|package|native\/languages|browser)\//;

/**
 * The long suites first, so that at the end of a run no worker waits for one of them alone. Jest knows by itself what took long
 * the last time, and in a fresh clone only how big the files are. No suite depends on the order.
 */
class LongSuitesFirst extends Sequencer {
  /**
   * @override
   * @param {import("@jest/test-result").Test[]} tests
   */
  async sort(tests) {
    const isLong = (/** @type {{ path: string }} */ { path }) => long.test(path);
    const sorted = [...(await super.sort(tests))];
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}

module.exports = LongSuitesFirst;
