import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator } from "../../emulator";

/** The rotation of a token that is due a second after its creation, as `rotateBefore` must be shorter than `expireAfter`. */
export const due = `rotation: { expireAfter: "90d", rotateBefore: "P89DT23H59M59S" }`;

const window = (90 * 86_400 - 1) * 1_000;

/** Waits until each token that expires 90 days after its creation is due: two updates may take less than a second. */
export async function untilDue({ tokens }: Emulator): Promise<void> {
  const ends = tokens.list().flatMap(({ expiresAt }) => (typeof expiresAt === "string" ? [Date.parse(expiresAt)] : []));
  while (Date.now() <= Math.max(...ends) - window) await sleep(20);
}
