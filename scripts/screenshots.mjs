// @ts-check
// Writes the pictures of the documentation into docs/images: the emulator's page, the audit's report and
// the output of `pulumi up`, in a real browser.
import path from "node:path";
import { attach, exitLike } from "./steps/run.mjs";

const root = path.join(import.meta.dirname, "..");
const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
const env = { ...process.env, EVENT_DATASETS_WRITE_SCREENSHOTS: "true" };
exitLike(await attach(process.execPath, [jest, "tests/browser/screenshots"], { cwd: root, env }));
