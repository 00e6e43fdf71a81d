import { expect, test } from "@jest/globals";
import { makeCreate } from "../../bench/load/lifecycle.mjs";
import { limitKinds, rounds, soak, storm } from "../../bench/load/measures.mjs";
import { Account } from "../../provider/lifecycle/account";
import { Ledger } from "../../provider/lifecycle/ledger";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { shareAdoptions } from "../../provider/session/adoptions";
import { EventDatasets } from "../../sdk";

test.each(limitKinds)(
  "a storm of creates against a rate limit (%s) ends with all of them, once each, and hardly more requests",
  async (kind) => {
    const { amplification, overtaken, ...rest } = await storm(EventDatasets, kind, 1_000);
    expect(rest).toMatchObject({ failed: 0, doubled: 0 });
    // What was refused goes first: nobody starves.
    expect(overtaken).toBeLessThanOrEqual(100);
    expect(amplification).toBeLessThanOrEqual(1.05);
  },
);

test("minutes of calls by a simulated clock keeps its one connection", async () => {
  const { requests, mostOpen } = await soak(EventDatasets, 300);
  expect(requests).toBe(301);
  expect(mostOpen).toBeLessThanOrEqual(2);
});

test.each(["documented", "extended"] as const)(
  "where connections break, the next updates make what is missing, and every token that is live is tracked (%s)",
  async (profile) => {
    const create = makeCreate({ apiToken, Account, Ledger, adoptions: shareAdoptions(undefined) });
    for (const lost of ["requests", "answers"] as const) {
      const breaks = { share: 0.05, lost };
      const { updates, missing, untracked } = await rounds({ EventDatasets, create }, profile, breaks, 100);
      expect({ missing, untracked }).toEqual({ missing: 0, untracked: 0 });
      // What was carried out is undone and made again in the same update, where that can be.
      expect(updates).toBeLessThanOrEqual(profile === "extended" && lost === "answers" ? 1 : 3);
    }
  },
);
