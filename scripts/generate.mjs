// @ts-check
// Makes every file of the tree that is derived from others, and writes those that changed.
//   npm run generate               all of them
//   npm run generate -- --check    writes nothing, names the outdated files, and fails if there is one
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeAuditPage, makeAuditSchemas } from "./generate/auditRules.mjs";
import { makeFunctionCalls } from "./generate/languageExamples.mjs";
import { makeNouns } from "./generate/nouns.mjs";
import { makeSchema } from "./generate/packageSchema.mjs";
import {
  makeCommandPage,
  makeFaultPage,
  makeLanguagePage,
  makeSecurityPage,
  makeVersionsPage,
} from "./generate/pages.mjs";
import { produce } from "./generate/produce.mjs";
import { makeReferencePages } from "./generate/reference.mjs";
import { log } from "./steps/log.mjs";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** In this order: a later one may read what an earlier one wrote. @type {readonly import("./generate/produce.mjs").Generator[]} */
const generators = [
  { name: "lists of nouns", make: makeNouns },
  { name: "calls of functions in every language", make: makeFunctionCalls },
  { name: "schema of the plugin", make: makeSchema },
  { name: "reference of resources and functions", make: makeReferencePages },
  { name: "rule ids in the audit's schemas", make: makeAuditSchemas },
  { name: "rules and samples of the audit's page", make: makeAuditPage },
  { name: "commands in the command line's page", make: makeCommandPage },
  { name: "functions in the query language's page", make: makeLanguagePage },
  { name: "fault matrix", make: makeFaultPage },
  { name: "combinations of CLI and SDK, and the changes", make: makeVersionsPage },
  { name: "places that show secrets", make: makeSecurityPage },
];

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const outdated = await produce({ root: ROOT, generators, isCheck: values.check, log });
if (values.check && outdated.length > 0) process.exitCode = 1;
