import { expect, test } from "@jest/globals";
import { type Change, kindNames, kinds } from "../../emulator/kinds";
import { Store } from "../../emulator/store";
import { call, newFolder, start } from "./harness";

/** Samples of each kind for the journal: the compiler requires one for a new kind. */
const examples: { readonly [K in Change["kind"]]: Extract<Change, { kind: K }> } = {
  token: { kind: "token", id: "t1", value: { shown: { id: "t1", name: "ci" }, secretHash: "00" } },
  annotation: { kind: "annotation", id: "a1", value: { shown: { id: "a1", type: "deploy" } } },
};

test("an object of every kind is still there when its folder is opened again", async () => {
  const folder = await newFolder();
  for (const attempt of ["written", "reopened", "reopened again"]) {
    const store = await Store.open(folder);
    if (attempt === "written") await store.commit(() => ({ changes: Object.values(examples), result: undefined }));
    for (const kind of kindNames) expect(store.list(kind)).toEqual([examples[kind].value]);
    await store.close();
  }
});

test("an object of every kind can be changed and removed by the backdoor, also over HTTP", async () => {
  const dataDir = await newFolder();
  const store = await Store.open(dataDir);
  await store.commit(() => ({ changes: Object.values(examples), result: undefined }));
  await store.close();
  await using emulator = await start({ dataDir, faults: true });
  for (const kind of kindNames) {
    const { collection } = kinds[kind];
    const [object] = emulator[collection].list();
    const path = `/_test/${collection}/${object?.id}`;
    const changed = await call(emulator.url, `PATCH ${path}`, { body: { added: 1 } });
    expect(changed).toMatchObject({ status: 200, body: { ...object, added: 1 } });
    expect((await call(emulator.url, `DELETE ${path}`)).status).toBe(204);
    expect(emulator[collection].list()).toEqual([]);
  }
});
