import { rm } from "node:fs/promises";
import { PACKED_INSTALLATIONS } from "./packedInstallations";

// biome-ignore lint/style/noDefaultExport: jest takes the module's default export
export default async function globalTeardown(): Promise<void> {
  const folder = process.env[PACKED_INSTALLATIONS];
  if (folder) await rm(folder, { recursive: true, force: true });
}
