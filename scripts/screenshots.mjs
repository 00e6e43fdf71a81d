// @ts-check
// Writes the pictures of the documentation into docs/images: the emulator's page and the audit's report, in a real browser.
import path from "node:path";
import { startOfJest } from "./steps/jest.mjs";
import { attach, exitLike } from "./steps/run.mjs";

const root = path.join(import.meta.dirname, "..");
const env = { ...process.env, EVENT_DATASETS_WRITE_SCREENSHOTS: "true" };
exitLike(
  await attach(process.execPath, [...(await startOfJest(root)), "tests/browser/screenshots"], { cwd: root, env }),
);
