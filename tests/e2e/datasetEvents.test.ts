import { beforeAll, expect, test } from "@jest/globals";
import { type Emulator, environmentOf } from "../../emulator/emulator";
import { scalar } from "../../sdk";
import { clientOf, createDeployment, type Deployment, startTemporaryEmulator } from "../support/deployment";
import { bothForms, forms, inForm } from "../support/program";
import { openForTests } from "../support/suite";

// The ends of datasets and of their events. One stack has a dataset for each row in both forms, so that one command of the engine
// shows many rows. The tests compare what the commands left.

/** The arguments of a dataset, and its options. Its name gets the form and the row before it. */
interface Declared {
  readonly name?: string;
  readonly options?: object;
  readonly [argument: string]: unknown;
}

/** The logical name, the recorded arguments, those of the next program, the events before and after the command, and the message. */
type Row = readonly [
  what: string,
  recorded: Declared,
  next: Declared | "removed" | "tainted",
  before: number,
  after: number | "deleted",
  says: string,
];

const word = { deleteEvents: true };
const logs = { kind: "otel:logs:v1" };
const web = { name: "web" };
const api = { name: "api" };
const borrowed = { ...web, adopt: true };
const first = { options: { deleteBeforeReplace: true } };
const stays =
  "is no longer managed here, but it stays with its events. To manage it again, declare its name with adopt: true.";
const isOther = "it is another dataset with the same name, so it is left alone";

/** The rows by the command that they are about. One of three events is 40 days old. */
const rows = {
  update: [
    ["removed-empty", {}, "removed", 0, 0, stays],
    ["removed", {}, "removed", 3, 3, stays],
    ["removed-empty-with-word", word, "removed", 0, "deleted", "was deleted: it had 0 events"],
    ["removed-with-word", word, "removed", 3, "deleted", "was deleted: it had 3 events"],
    ["removed-with-false-word", { deleteEvents: false }, "removed", 3, 3, stays],
    ["removed-borrowed", { ...borrowed, ...word }, "removed", 3, 3, "it stays with its events: it was only borrowed"],
    ["replaced-empty", {}, logs, 0, 0, stays],
    ["replaced", {}, logs, 3, 3, stays],
    ["replaced-empty-with-word", word, { ...word, ...logs }, 0, "deleted", "was deleted: it had 0 events"],
    ["replaced-with-word", word, { ...word, ...logs }, 3, "deleted", "was deleted: it had 3 events"],
    ["replaced-with-late-word", {}, { ...word, ...logs }, 3, 3, stays],
    ["renamed", web, api, 3, 3, stays],
    ["renamed-with-word", { ...web, ...word }, { ...api, ...word }, 3, "deleted", "was deleted: it had 3 events"],
    ["deleted-first", first, { ...first, ...logs }, 3, 3, stays],
    [
      "deleted-first-with-word",
      { ...web, ...word, ...first },
      { ...web, ...word, ...first, ...logs },
      3,
      "deleted",
      "",
    ],
    ["described", {}, { description: "Requests" }, 3, 3, "updated"],
    ["described-with-word", word, { ...word, description: "Requests" }, 3, 3, "updated"],
    ["kept-longer", { retentionDays: 60 }, { retentionDays: 90 }, 3, 3, "updated"],
    ["kept-shorter-with-word", { ...word, retentionDays: 60 }, { ...word, retentionDays: 30 }, 3, 2, "updated"],
    ["no-longer-borrowed", borrowed, web, 3, 3, "updated"],
  ],
  // The command before replaced those that are not tainted, but it could not delete the first dataset.
  "next update": [
    ["tainted", {}, "tainted", 3, 3, stays],
    ["tainted-with-word", word, "tainted", 3, "deleted", "was deleted: it had 3 events"],
    ["tainted-chosen", web, "tainted", 3, 3, "If this is its replacement: a dataset keeps its name and its events"],
    ["tainted-chosen-with-word", { ...web, ...word }, "tainted", 3, 3, "the option deleteBeforeReplace"],
    ["tainted-first-with-word", { ...web, ...word, ...first }, "tainted", 3, "deleted", "was deleted: it had 3 events"],
    ["tainted-borrowed", { ...borrowed, ...word }, "tainted", 3, 3, "is left alone"],
    ["pending", { ...web, ...word }, { ...api, ...word }, 3, "deleted", "was deleted: it had 3 events"],
    ["pending-made-anew", { ...web, ...word }, { ...api, ...word }, 3, "deleted", isOther],
    ["pending-adopted", { ...web, ...word }, { ...api, ...word }, 3, 3, "is left alone"],
  ],
  // This account has datasets of the names that were chosen. Only here, the program has the next arguments.
  "wrong account": [
    ["removed-there", { ...web, ...word }, "removed", 3, 3, isOther],
    ["removed-and-missing-there", word, "removed", 3, 3, "does this access token belong to another account?"],
  ],
  destroy: [
    ["destroyed-empty", {}, {}, 0, 0, stays],
    ["destroyed", {}, {}, 3, 3, stays],
    ["destroyed-empty-with-word", word, word, 0, "deleted", "was deleted: it had 0 events"],
    ["destroyed-with-word", word, word, 3, "deleted", "was deleted: it had 3 events"],
    ["destroyed-with-late-word", {}, word, 3, "deleted", "was deleted: it had 3 events"],
    ["destroyed-with-withdrawn-word", word, {}, 3, 3, stays],
    ["destroyed-borrowed", { ...borrowed, ...word }, { ...borrowed, ...word }, 3, 3, "it was only borrowed"],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

type Act = keyof typeof rows;
const acts = Object.keys(rows) as Act[];

const cases = acts.flatMap((act) =>
  forms.flatMap((form) =>
    rows[act].map(([what, recorded, next, before, after, says]: Row) => {
      const key = `${form}-${what}`;
      return { act, key, recorded, next, before, after, says, chosen: `${key}-${recorded.name}` };
    }),
  ),
);
const ofUpdate = cases.filter(({ act }) => act === "next update");
const tainted = ofUpdate.filter(({ next }) => next === "tainted");
const pending = ofUpdate.filter(({ next }) => next !== "tainted");
const wrong = cases.filter(({ act }) => act === "wrong account");
/** Those whose names both accounts have. */
const shared = wrong.filter(({ recorded }) => recorded.name);
const adopted = cases.filter(({ recorded }) => recorded.adopt);

/** A program with the next arguments in the rows of some commands. */
function programOf(changed: readonly Act[], more = ""): string {
  const declared = cases.flatMap(({ act, key, recorded, next }) => {
    const args = changed.includes(act) && next !== "tainted" ? next : recorded;
    if (args === "removed") return [];
    return [[key, { ...args, ...(args.name && { name: `${key}-${args.name}` }) }]];
  });
  return `${bothForms}
const declared: Record<string, any> = ${JSON.stringify(Object.fromEntries(declared))};
export const names = inBothForms((form, { Dataset }) => {
  ${more}
  const own = Object.entries(declared).filter(([key]) => key.startsWith(form));
  return Object.fromEntries(own.map(([key, { options, ...args }]) => [key, new Dataset(key, args, options).name]));
});
`;
}

/** How many events each dataset has, by its name and its time of creation. */
async function countEvents(service: Emulator): Promise<ReadonlyMap<string, number>> {
  await using client = clientOf(service);
  const counts = service.datasets.list().map(async ({ id, created }) => {
    const result = await client.queries.apl({ apl: `['${id}'] | summarize count()` });
    return [`${id} ${created}`, Number(scalar(result))] as const;
  });
  return new Map(await Promise.all(counts));
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const three = [{ n: 1 }, { n: 2 }, { _time: daysAgo(40), n: 3 }];
const otherToken = "xaat-root-of-another-account";
const options = { profile: "extended", program: { "index.ts": programOf([]) } } as const;
const deployment = openForTests(() => createDeployment(inForm("both", options)));
const other = openForTests(() => startTemporaryEmulator({ profile: "extended", rootToken: otherToken }));
/** The first dataset of each resource. */
const firsts = new Map<string, { readonly id: string; readonly created: string }>();
const seen = {} as Record<Act, { readonly stdout: string; readonly counts: ReadonlyMap<string, number> }>;

async function note(act: Act, { stdout }: { readonly stdout: string }): Promise<void> {
  seen[act] = { stdout, counts: await countEvents(deployment.service) };
}

async function declareFirst({ workspace, service }: Deployment): Promise<void> {
  for (const { chosen } of adopted) await service.ingest(chosen, three);
  await workspace.up();
  const names: Record<string, string> = Object.assign({}, ...((await workspace.outputs()).names as object[]));
  const created = new Map(service.datasets.list().map((one) => [one.id, String(one.created)]));
  for (const { key, before } of cases) {
    const id = names[key] ?? "";
    firsts.set(key, { id, created: created.get(id) ?? "" });
    if (before > 0 && !adopted.some((one) => one.key === key)) await service.ingest(id, three);
  }
}

async function urnsOf(keys: readonly string[]): Promise<string[]> {
  const { resources = [] } = (await deployment.workspace.export()).deployment;
  const isNamed = (urn: string) => keys.some((key) => urn.endsWith(`::${key}`));
  return resources.flatMap(({ urn, delete: old }) => (!old && isNamed(urn) ? [urn] : []));
}

/** Plays the commands. What cannot be done in one row must not keep the others from it. */
beforeAll(async () => {
  const { workspace, service } = deployment;
  const declare = (changed: readonly Act[], more?: string) => workspace.writeFile("index.ts", programOf(changed, more));
  const failing = { args: ["--continue-on-error"], expectFailure: true } as const;
  await declareFirst(deployment);
  await workspace.up({ args: ["--refresh", "--expect-no-changes"] });

  for (const { chosen } of pending)
    service.inject({ method: "DELETE", path: `/v2/datasets/${chosen}`, action: { kind: "status", status: 403 } });
  const usual = ["update", "next update", "destroy"] as const;
  await declare(usual);
  await note("update", await workspace.up(failing));

  for (const { chosen } of pending.filter(({ says }) => says === isOther)) {
    await service.datasets.remove(chosen);
    await service.ingest(chosen, three);
  }
  await workspace.run(["state", "taint", "--yes", ...(await urnsOf(tainted.map(({ key }) => key)))]);
  await declare(usual, 'new Dataset(form + "-adopts", { name: form + "-pending-adopted-web", adopt: true });');
  await note("next update", await workspace.up(failing));

  const env = environmentOf(other);
  for (const { chosen } of shared) await other.ingest(chosen, three);
  const args = (await urnsOf(shared.map(({ key }) => key))).flatMap((urn) => ["--target", urn]);
  expect((await workspace.refresh({ args, env, expectFailure: true })).stdout).toContain(isOther);
  await declare([...usual, "wrong account"]);
  await note("wrong account", await workspace.up({ ...failing, env }));

  await declare(usual);
  await note("destroy", await workspace.destroy(failing));
});

test.each(cases)("$act: dataset $key had $before events, afterwards: $after", ({ act, key, after, says }) => {
  const { stdout, counts } = seen[act];
  const { id = "", created } = firsts.get(key) ?? {};
  expect(counts.get(`${id} ${created}`) ?? "deleted").toBe(after);
  const lines = stdout.split("\n").filter((line) => line.includes(id) || line.includes(` ${key} `));
  expect(lines.join("\n")).toContain(says);
});

test("the wrong account keeps its datasets, and the state keeps those of the right one", async () => {
  const counts = [...(await countEvents(other)).values()];
  expect(counts.filter((count) => count > 0)).toEqual(shared.map(() => 3));
  for (const { key } of wrong)
    expect(seen.destroy.stdout).toContain(`dataset ${firsts.get(key)?.id} was deleted: it had 3 events`);
});
