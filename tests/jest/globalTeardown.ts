import { rm } from "node:fs/promises";
import { SHARED_FOLDER } from "../support/checkout";
import { stopWarmHosts } from "./globalSetup";

// biome-ignore lint/style/noDefaultExport: jest takes the module's default export
export default async function globalTeardown(): Promise<void> {
  await stopWarmHosts();
  const folder = process.env[SHARED_FOLDER];
  if (folder) await rm(folder, { recursive: true, force: true });
}
