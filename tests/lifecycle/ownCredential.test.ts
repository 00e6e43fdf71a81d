import { describe, expect, test } from "@jest/globals";
import { hashCredential } from "../../provider/account/account";
import { apiToken } from "../../provider/apiToken/lifecycle";
import { EventDatasets } from "../../sdk";
import { planOf, sessionOf } from "../support/session";
import { begin, createFirst, type World } from "../support/tokenWorld";

describe("the credential in use", () => {
  /** A token that the process works with, and its replacement. */
  async function replaceOwn(world: World) {
    const old = await createFirst(world, { orgCapabilities: { apiTokens: ["create", "read", "delete"] } });
    const accessToken = old.state.token ?? "";
    const client = new EventDatasets({ baseUrl: world.service.url, accessToken, profile: "extended" });
    const session = sessionOf(client, undefined, {
      credentialHash: hashCredential(accessToken),
      providerName: "own",
    });
    const { here } = session.account;
    const inputs = { ...old.inputs, description: "new" };
    const difference = apiToken.diff(old.id, old.state, inputs, planOf("extended", { here, update: session.update }));
    return { old, client, session, inputs, difference };
  }

  test("is not revoked although it is replaced, and all other deletions come first", async () => {
    await using world = await begin();
    const { old, client, session, inputs, difference } = await replaceOwn(world);
    expect(difference.notice).toMatch(/The old token is the credential in use: it is not revoked before another/);
    const { id, state } = await apiToken.create(session, inputs);
    const others = await Promise.all(["a", "b"].map((other) => createFirst(world, { key: other })));
    const ended: string[] = [];
    const deletions = [old, ...others].map((one) =>
      session.account.run(() => apiToken.delete(session, one.id, one.state)).finally(() => void ended.push(one.id)),
    );
    const [own, ...rest] = await Promise.allSettled(deletions);
    await client.close();
    expect(own).toMatchObject({ status: "rejected", reason: expect.any(Error) });
    expect(String((own as PromiseRejectedResult).reason)).toMatch(/is the credential that this update works with/);
    expect(rest.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(ended.at(-1)).toBe(old.id);
    expect(world.ids()).toEqual([old.id, id]);
    expect(state.record.predecessors).toMatchObject([{ id: old.id, fate: "revoke" }]);
  });

  test("is revoked by a later update with another credential", async () => {
    await using world = await begin();
    const { old, client, session, inputs } = await replaceOwn(world);
    const { id, state } = await apiToken.create(session, inputs);
    await client.close();
    const later = world.start(state.token);
    await later.diff(id, state, await later.check(inputs, inputs));
    await later.delete(old.id, old.state);
    expect(world.ids()).toEqual([id]);
  });

  test("is not revoked if it was sealed, either, nor if it is deleted before it is replaced", async () => {
    await using world = await begin();
    const { old, client, session, inputs } = await replaceOwn(world);
    const { token: _, ...others } = old.state;
    const { here } = session.account;
    const sealed = { ...others, fingerprint: here.credentialHash ?? "", sealedToken: { "7": "y" } };
    await expect(apiToken.delete(session, old.id, sealed)).rejects.toThrow("Its deletion stays pending");
    const record = { ...old.state.record, origin: "adopted" } as const;
    const other = sessionOf(client, undefined, here);
    await apiToken.delete(other, old.id, { ...old.state, record });
    await apiToken.create(other, inputs);
    await client.close();
    expect(other.warnings.at(-1)).toMatch(
      /was replaced, and is the credential in use, so it is not revoked; nothing here will/,
    );
    expect(world.deleted()).toEqual([]);
  });
});
