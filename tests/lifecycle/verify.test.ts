import { expect, test } from "@jest/globals";
import { apiToken } from "../../provider/apiToken/lifecycle";
import type { Profile } from "../../sdk";
import { connect } from "../support/client";
import { type Behaviour, json, startService } from "../support/service";
import { sessionOf, testHash } from "../support/session";

/** The messages about two tokens of which the service lists one, and the requests that they took. */
async function verify(profile: Profile, answer: Behaviour, credentialHash = testHash) {
  await using service = await startService(answer);
  await using client = connect(service.url, { profile });
  const session = sessionOf(client);
  const record = { baseUrl: service.url, credentialHash, origin: "created" } as const;
  const state = { name: "ci", key: "ci", record };
  const told = [];
  for (const id of ["t1", "t2"]) told.push(await apiToken.verify?.(session, id, state));
  return { told, calls: service.calls };
}

const one = json(200, [{ id: "t1", name: "ci" }]);

test("an unchanged token that was revoked is told, with one list for all tokens", async () => {
  const { told, calls } = await verify("extended", one);
  expect(told).toEqual([
    undefined,
    expect.stringMatching(/\(id t2\) is in the state but no longer exists: run "pulumi refresh"/),
  ]);
  expect(calls).toEqual(["GET /v2/tokens"]);
});

test.each<[string, Profile, Behaviour, string, number]>([
  ["in the documented profile, which sends nothing", "documented", one, testHash, 0],
  ["of tokens that were seen with another credential", "extended", one, "ffffffffffff", 0],
  ["if the list cannot be had", "extended", json(403, {}), testHash, 1],
  ["if an entry of the list could be any token", "extended", json(200, [{ name: "?" }]), testHash, 1],
])("nothing is told %s", async (_, profile, answer, credentialHash, requests) => {
  const { told, calls } = await verify(profile, answer, credentialHash);
  expect(told).toEqual([undefined, undefined]);
  expect(calls).toHaveLength(requests);
});
