"use strict";

const { availableParallelism } = require("node:os");

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  transform: {
    "\\.m?[jt]s$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // age-encryption and what it rests on are ES modules only, which jest does not load from CommonJS.
  transformIgnorePatterns: [
    "/node_modules/(?!(age-encryption|@noble|@scure)/)",
    "<rootDir>/dist/",
    "<rootDir>/emulator/dist/",
  ],
  // Two states of one example have the same package name, and no suite imports an example.
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/examples/"],
  globalSetup: "<rootDir>/tests/jest/globalSetup.ts",
  globalTeardown: "<rootDir>/tests/jest/globalTeardown.ts",
  setupFilesAfterEnv: ["<rootDir>/tests/jest/setup.ts"],
  reporters: ["default", "<rootDir>/tests/jest/summaryReporter.js"],
  testSequencer: "<rootDir>/tests/jest/sequencer.js",
  // One more than cores: suites wait for silences, gates and rotations. Not more than four engines at once, for the memory.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  watchman: false,
};
