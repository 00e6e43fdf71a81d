import { expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { hostedDataset } from "../../provider/nouns/dataset/lifecycle";
import type { Profile } from "../../sdk";
import { startTemporaryEmulator } from "../support/deployment";
import { startHost } from "../support/host";

/** An update of an account that has the dataset `web`, with everything that a user is warned of. */
async function begin(profile: Profile = "extended") {
  const service = await startTemporaryEmulator({ profile: "extended" });
  await service.ingest("web", [{ n: 1 }]);
  const warnings: string[] = [];
  const tell = { warn: async (message: string) => void warnings.push(message), inform: async () => undefined };
  const host = startHost({ baseUrl: service.url, accessToken: service.rootToken, profile }, tell);
  const check = async (hosted: typeof hostedApiToken | typeof hostedDataset, inputs: Bag) =>
    (await new Hooks(hosted as typeof hostedApiToken, host).check(undefined, inputs, tell)).reasons;
  return {
    service,
    warnings: () => warnings.filter((message) => message.includes("does not list")),
    lists: () => service.calls.filter(({ method, path }) => `${method} ${path}` === "GET /v2/datasets").length,
    token: (names: readonly string[], more: Bag = {}) => {
      const datasetCapabilities = Object.fromEntries(names.map((name) => [name, { ingest: ["create"] }]));
      return check(hostedApiToken, {
        key: names.join(),
        expiresAt: "2099-01-01T00:00:00Z",
        datasetCapabilities,
        ...more,
      });
    },
    dataset: (name: string) => check(hostedDataset, { key: name, name }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

test("a capability for a dataset that does not exist is a warning in the preview, with one list a process", async () => {
  await using at = await begin();
  expect(await at.token(["web", "wep", "other"])).toEqual([]);
  expect(await at.token(["wep"])).toEqual([]);
  expect(at.warnings()).toEqual([
    'API token "web,wep,other": datasetCapabilities names datasets that the service does not list: wep, other. If a Dataset of this program creates it, name that Dataset in the option dependsOn of the token; otherwise correct the name.',
    'API token "wep": datasetCapabilities names a dataset that the service does not list: wep. If a Dataset of this program creates it, name that Dataset in the option dependsOn of the token; otherwise correct the name.',
  ]);
  expect(at.lists()).toBe(1);
});

test("there is no warning for datasets that exist, that this update declares, and that are reserved", async () => {
  await using at = await begin();
  expect(await at.dataset("shop")).toEqual([]);
  await at.token(["web", "shop", "*", "axiom-audit"]);
  expect(at.warnings()).toEqual([]);
});

test("a token that is checked before its Dataset is not told that its name is wrong", async () => {
  await using at = await begin();
  await at.token(["shop"]);
  await at.dataset("shop");
  expect(at.warnings()).toEqual([
    expect.stringContaining("If a Dataset of this program creates it, name that Dataset"),
  ]);
});

test("secret capabilities show in no warning", async () => {
  await using at = await begin();
  await at.token(["wep"], { key: "ci", secretInputs: ["datasetCapabilities"] });
  expect(at.warnings()).toEqual([expect.not.stringContaining("wep")]);
});

test("where datasets cannot be listed nothing is said, and the documented profile sends no request", async () => {
  await using at = await begin();
  at.service.inject({ method: "GET", path: "/v2/datasets", action: { kind: "status", status: 403 } });
  expect(await at.token(["wep"])).toEqual([]);
  await using documented = await begin("documented");
  await documented.token(["wep"]);
  expect([at.warnings(), documented.warnings(), documented.lists()]).toEqual([[], [], 0]);
});
