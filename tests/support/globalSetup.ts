import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PACKED_INSTALLATIONS } from "./packedInstallations";

/** Runs once before all suites. The folder stays empty unless a suite wants the packed package. */
// biome-ignore lint/style/noDefaultExport: jest takes the module's default export
export default async function globalSetup(): Promise<void> {
  process.env[PACKED_INSTALLATIONS] = await mkdtemp(path.join(os.tmpdir(), "event-datasets-packed-"));
}
