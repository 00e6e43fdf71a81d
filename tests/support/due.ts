import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator } from "../../emulator";

/** The rotation of a token that is due a second after its creation, as `rotateBefore` must be shorter than `expiresIn`. */
export const due = `expiresIn: "90d", rotation: { rotateBefore: "P89DT23H59M59S" }`;

/**
 * Waits until the tokens with an expiry are due, as two updates may take less than a second.
 * @throws Error if there is none, or one expires later than that
 */
export async function untilDue({ tokens }: Emulator): Promise<void> {
  const lasting = 90 * 86_400_000;
  const ends = tokens.list().flatMap(({ expiresAt }) => (typeof expiresAt === "string" ? [Date.parse(expiresAt)] : []));
  const created = Math.max(...ends) - lasting;
  if (ends.length === 0 || created > Date.now() + 1_000)
    throw new Error("no token expires, or one after more than 90 days");
  while (Date.now() <= created + 1_000) await sleep(20);
}
