import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PACKED_INSTALLATIONS } from "./packedInstallations";

const pause = 200;
/** About half an hour: who makes it may be slow, but does not hang for longer. */
const mostLooks = 9_000;

/** Makes a folder of the test run, unless another worker has: it waits for one that is about it. */
export async function makeOnce(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const base = process.env[PACKED_INSTALLATIONS];
  if (!base) throw new Error(`${PACKED_INSTALLATIONS} is not set: jest's global setup did not run`);
  const folder = path.join(base, name);
  const draft = `${folder}-draft`;
  for (let looks = 0; !existsSync(folder); looks++) {
    if (looks > mostLooks) throw new Error(`${draft}: whoever was to make it has ended, or takes too long; remove it`);
    const mine = await mkdir(draft).then(
      () => true,
      (failure: NodeJS.ErrnoException) => {
        if (failure.code !== "EEXIST") throw failure;
        return false;
      },
    );
    if (!mine) {
      await sleep(pause);
      continue;
    }
    try {
      if (existsSync(folder)) break; // since it was looked for
      await make(draft);
      await rename(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  return folder;
}
