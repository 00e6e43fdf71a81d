import { expect, test } from "@jest/globals";
import { secret } from "../../framework/testing";
import type { Profile } from "../../sdk";
import { begin, dataset, token } from "../support/story";

const capabilities = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { ingest: ["create"] }]));
const tokenFor = (...names: readonly string[]) => token({ datasetCapabilities: capabilities(...names) });

/** A stack in an account that has the dataset `web`; the warnings of a preview, and its lists of datasets. */
async function beginWithDataset(profile: Profile = "extended") {
  const world = await begin("extended");
  world.configure({ profile });
  await world.service.ingest("web", [{ n: 1 }]);
  const warn = async (...preview: Parameters<typeof world.preview>) =>
    (await world.preview(...preview)).told.filter((message) => message.includes("does not list"));
  const lists = () =>
    world.service.calls.filter(({ method, path }) => `${method} ${path}` === "GET /v2/datasets").length;
  return Object.assign(world, { warn, lists });
}

test("a capability for a dataset that does not exist is a warning in the preview, with one list a process", async () => {
  await using at = await beginWithDataset();
  const correct =
    "If a Dataset of this program creates such a dataset, name that Dataset in the token's option dependsOn; otherwise create the dataset, or correct the name.";
  expect(await at.warn({ a: tokenFor("web", "wep", "other"), b: tokenFor("wep") })).toEqual([
    `API token "a": datasetCapabilities names datasets that the service does not list: other, wep. ${correct}`,
    `API token "b": datasetCapabilities names a dataset that the service does not list: wep. ${correct}`,
  ]);
  expect(at.lists()).toBe(1);
});

test("there is no warning for datasets that exist, that this update declares, and that are reserved", async () => {
  await using at = await beginWithDataset();
  const shop = dataset({ name: "shop" });
  expect(await at.warn({ shop, ci: tokenFor("web", "shop", "*", "axiom-audit") })).toEqual([]);
});

test("secret capabilities show in no warning", async () => {
  await using at = await beginWithDataset();
  const ci = token({ datasetCapabilities: secret(capabilities("wep")) });
  expect(await at.warn({ ci })).toEqual([expect.not.stringContaining("wep")]);
});

test("where datasets cannot be listed nothing is said, and the documented profile sends no request", async () => {
  await using at = await beginWithDataset();
  at.respond("GET /v2/datasets", 403);
  expect(await at.warn({ ci: tokenFor("wep") })).toEqual([]);
  await using documented = await beginWithDataset("documented");
  expect([await documented.warn({ ci: tokenFor("wep") }), documented.lists()]).toEqual([[], 0]);
});
