import path from "node:path";
import { expect, test } from "@jest/globals";
import { forms } from "../../support/program";
import { findSecrets, type SecretPlaces } from "../../support/secrets";
import { openForTests } from "../../support/suite";
import { type Exposure, type ExposureId, exposures, type Kind } from "./exposures";
import { type Canary, startExposureWorld } from "./exposureWorld";

const rows = Object.entries(exposures) as [ExposureId, Exposure][];

const world = openForTests(startExposureWorld);

/** Where to look for what a row shows. */
function placesOf(id: ExposureId): SecretPlaces {
  const { backend, home } = world.deployment.workspace;
  if (id === "state") return { folders: [backend] };
  if (id === "automaticLog") return { folders: [path.join(home, "logs")] };
  const text = world.found[id];
  if (!text) throw new Error(`nothing was run for the row ${id}`);
  return { texts: { [id]: text } };
}

const nameOf = ({ kind, form }: Omit<Canary, "secret">) => (form ? `${kind}, ${form}` : kind);

/** The secrets that show, by kind and form. */
async function findShown(places: SecretPlaces): Promise<string[]> {
  const shown = new Set<string>();
  for (const canary of world.canaries)
    if ((await findSecrets(places, [canary.secret])).length > 0) shown.add(nameOf(canary));
  return [...shown].sort();
}

test.each(rows)("%s shows what the table says, in both forms", async (id, { shows }) => {
  if (!world.has(id)) return;
  const inForms = (kind: Kind) => (kind === "config" ? [kind] : forms.map((form) => nameOf({ kind, form })));
  expect(await findShown(placesOf(id))).toEqual(shows.flatMap(inForms).sort());
});

test.each(["json", "eventLog", "streamedPreview"] as const)(
  "%s shows no secret without its debug messages",
  async (id) => {
    const lines = (world.found[id] ?? "").split("\n").filter((line) => line !== "");
    const others = lines.filter((line) => JSON.parse(line).diagnosticEvent?.severity !== "debug");
    expect(others.length).toBeGreaterThan(20);
    expect(await findShown({ texts: { others: others.join("\n") } })).toEqual([]);
  },
);

test("the events that the example passes on show no secret", async () => {
  const events = world.found.filteredEvents ?? "";
  expect(events.split("\n").length).toBeGreaterThan(20);
  expect(await findShown({ texts: { events } })).toEqual([]);
});

test("the secret of a sealed token, and an access token of the environment, are in no file and no output", async () => {
  const { root, commands } = world.deployment.workspace;
  const printed = commands.map(({ stdout, stderr }) => stdout + stderr).join("\n");
  const shown = await findShown({ folders: [root], texts: { ...world.found, printed } });
  expect(shown).toContain("token, dynamic");
  expect(shown.filter((name) => /^(sealed|environment)/.test(name))).toEqual([]);
});
