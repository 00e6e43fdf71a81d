import { access, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PACKED_INSTALLATIONS } from "./packedInstallations";

/** Makes a folder of the test run, unless another worker has: it waits for one that is about it. */
export async function makeOnce(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const base = process.env[PACKED_INSTALLATIONS];
  if (!base) throw new Error(`${PACKED_INSTALLATIONS} is not set: jest's global setup did not run`);
  const folder = path.join(base, name);
  const draft = `${folder}-draft`;
  while (!(await isThere(folder))) {
    const mine = await mkdir(draft).then(
      () => true,
      (failure: NodeJS.ErrnoException) => {
        if (failure.code !== "EEXIST") throw failure;
        return false;
      },
    );
    if (!mine) {
      await sleep(200);
      continue;
    }
    try {
      if (await isThere(folder)) break; // since it was looked for
      await make(draft);
      await rename(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return folder;
}

const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );
