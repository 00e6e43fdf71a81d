"use strict";

const { createHash } = require("node:crypto");
const { mkdirSync, readdirSync, symlinkSync, writeFileSync } = require("node:fs");
const path = require("node:path");

/** Names the folder in which the TypeScript programs of this test run are kept. */
const variable = "EVENT_DATASETS_TESTS_PROGRAMS";
const checkout = path.resolve(__dirname, "../..");

/**
 * Keeps a program for `findTypeErrors`: the engine compiles it without looking at its types, which would take seconds at every
 * first run of a program.
 * @param {string} content
 */
function keepForTypeCheck(content) {
  const folder = process.env[variable];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  writeFileSync(path.join(folder, `${hash}.ts`), content);
}

/**
 * Compiles all programs of this test run at once, with the settings that the engine has for a program without its own.
 * @returns {string} what is wrong; "" if nothing is
 */
function findTypeErrors() {
  const folder = process.env[variable];
  const names = folder ? namesIn(folder) : [];
  if (!folder || names.length === 0) return "";
  symlinkSync(path.join(checkout, "node_modules"), path.join(folder, "node_modules"));
  const ts = require("typescript");
  const program = ts.createProgram(
    names.map((name) => path.join(folder, name)),
    {
      target: ts.ScriptTarget.ES2020,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      types: ["node"],
      strict: false,
      noEmit: true,
      skipLibCheck: true,
    },
  );
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => folder, getNewLine: () => "\n" };
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host);
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".ts"));
  } catch {
    return []; // no program was kept
  }
}

module.exports = { findTypeErrors, keepForTypeCheck, variable };
