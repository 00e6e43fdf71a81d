import { expect, test } from "@jest/globals";
import { isPartialCreate } from "../../framework/lifecycle";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import type { EventDatasets } from "../../sdk";
import { sessionOf } from "../support/host";
import { limitKinds, rounds, soak, storm } from "./load";

/** One create of the lifecycle with a generated name. */
async function create(client: EventDatasets, name: string): Promise<{ id: string; lost: boolean } | undefined> {
  try {
    const { id } = await apiToken.create(sessionOf(client), { key: name.slice(0, -8), name });
    return { id, lost: false };
  } catch (failure) {
    return isPartialCreate(failure) ? { id: failure.id, lost: true } : undefined;
  }
}

test.each(limitKinds)("a storm of creates against a rate limit (%s) ends with all of them, once each", async (kind) => {
  const { amplification, overtaken, failed, doubled } = await storm(kind, 1_000);
  expect({ failed, doubled }).toEqual({ failed: 0, doubled: 0 });
  // Refused requests go first, so none starves.
  expect(overtaken).toBeLessThanOrEqual(100);
  // A limit that every response announces costs hardly more requests than creates.
  expect(amplification).toBeLessThanOrEqual(kind === "fixed window" ? 1.05 : 1.2);
});

test("minutes of calls by a simulated clock share their connections", async () => {
  const { requests, connections } = await soak(300);
  expect(requests).toBe(301);
  // One, unless the machine is so busy that the service closes an idle one.
  expect(connections).toBeLessThan(requests / 10);
});

test.each(["before", "after"] as const)(
  "where connections break %s a request is carried out, the next updates make what is missing, and every live token is tracked",
  async (lost) => {
    const { updates, missing, untracked } = await rounds(create, lost);
    expect({ missing, untracked }).toEqual({ missing: 0, untracked: 0 });
    // A create is sent once, so what was lost is created by the next update.
    expect(updates).toBeLessThanOrEqual(3);
  },
);
