import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { dynamicForm } from "../../framework/dynamic/adapter";
import { secretSignature, signatureKey, unknownText } from "../../framework/engineValues";
import { host } from "../../framework/host";
import { storedProvider } from "../../framework/package";
import { type CounterService, openToy, startCounterService } from "./counterService";
import { hosted, own, toy } from "./toy";

const secret = (value: unknown) => ({ [signatureKey]: secretSignature, value });
const tell = { warn: async () => undefined, inform: async () => undefined };
let service: CounterService;
beforeEach(async () => {
  service = await startCounterService();
});
afterEach(() => service[Symbol.asyncDispose]());
const declared = { key: "visits", start: 3, label: "home", __provider: storedProvider(own, hosted.definition) };

test("without an update every change replaces, an unknown one too; only the secrecy of a value is recorded in place", async () => {
  const { create, delete: remove } = hosted.lifecycle;
  const replaced = dynamicForm(
    toy.connect,
    host(hosted.definition, { create, delete: remove }),
    openToy(service, tell),
  );
  const { id, outs } = await replaced.create(declared);
  const diffAfterCheck = async (news: object) => {
    await replaced.check(declared, { ...declared, ...news });
    return replaced.diff(id, outs, { ...declared, ...news });
  };
  expect(await diffAfterCheck({ label: "homes" })).toEqual({ changes: true, replaces: ["label"] });
  expect(await diffAfterCheck({ label: unknownText })).toEqual({ changes: true, replaces: ["label"] });
  expect(await diffAfterCheck({ secretInputs: ["label"] })).toEqual({ changes: true, replaces: [] });
  const { outs: next } = await replaced.update(id, outs, { ...declared, secretInputs: ["label"] });
  expect(next).toMatchObject({ secretInputs: ["label"], secretRecord: secret({ labelLength: 4 }) });
});

test("a read that changes nothing gives back what the engine passed, but a state of an older version is recorded anew", async () => {
  const { create, delete: remove } = hosted.lifecycle;
  const unread = dynamicForm(toy.connect, host(hosted.definition, { create, delete: remove }), openToy(service, tell));
  const { id, outs } = await unread.create(declared);
  // The engine passes no marks of secrets. It sets those of the state again.
  const stored = { ...outs, secretKey: "key-of-c1" };
  expect((await unread.read(id, stored)).props).toEqual(stored);
  const old = { ...stored, record: { length: 4 } };
  expect((await unread.read(id, old)).props).toMatchObject({ record: { labelLength: 4, seen: false, version: 1 } });
});

test("a diff that fails has planned nothing: the deletion of an earlier object goes by its own record", async () => {
  const { create } = hosted.lifecycle;
  const told: unknown[] = [];
  const failing = host(hosted.definition, {
    create,
    diff: () => ({ changes: false, replaces: [], plans: { c1: "keep", c0: "keep" } }),
    verify: () => Promise.reject(new Error("another account")),
    delete: async (_session, _id, _state, planned) => void told.push(planned),
  });
  const refusing = dynamicForm(toy.connect, failing, openToy(service, tell));
  await refusing.check(declared, declared);
  await expect(refusing.diff("c1", { ...declared, record: {} }, declared)).rejects.toThrow("another account");
  await refusing.delete("c0", { ...declared, record: {} });
  expect(told).toEqual([undefined]);
});
