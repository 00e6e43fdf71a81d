import { isChosen, type RecordedDataset } from "./datasets";
import type { Blow, Instant } from "./instant";
import { type Recovered, recoverAsPrinted } from "./recovery";
import { killQuietly, Scene } from "./scene";

/** The result of a kill at one instant. */
export interface Aftermath extends Recovered {
  /** Undefined: the command could not even be run. */
  readonly blow: Blow | undefined;
}

/** Plays instants of one profile, each in what the last one left, as long as that is as declared. */
export async function* playInstants(instants: readonly Instant[]): AsyncGenerator<[Instant, Aftermath]> {
  let scene: Scene | undefined;
  try {
    for (const instant of instants) {
      scene ??= await Scene.open(instant.profile, instant.form);
      const aftermath = await play(scene, instant).catch(
        ({ message }: Error): Aftermath => ({ problems: [message], blow: undefined, pending: false, report: "" }),
      );
      if (aftermath.problems.length > 0) {
        await scene[Symbol.asyncDispose]();
        scene = undefined;
      }
      yield [instant, aftermath];
    }
  } finally {
    await scene?.[Symbol.asyncDispose]();
  }
}

async function play(scene: Scene, instant: Instant): Promise<Aftermath> {
  const blow = await scene.strike(instant);
  // As the guide about interruptions says: nothing else ends them.
  for (const pid of await scene.providers()) killQuietly(pid, "SIGTERM");
  const aftermath = { blow, ...(await recoverAsPrinted(scene)) };
  if (aftermath.problems.length > 0) return aftermath;
  const problems = [...(await lookAt(scene, aftermath.report)), ...doubled(scene)];
  // Every command comes to each of its boundaries; a kill that misses shows nothing.
  if (typeof instant.at === "object" && blow !== "in time") problems.push(`the kill was ${blow}`);
  if (!(await scene.providersEnd())) problems.push("a provider host is left");
  return { ...aftermath, problems };
}

/** A name may be created again only after the first token was revoked. */
function doubled({ trap }: Scene): string[] {
  const again = trap.creates.filter(
    ({ name }, at) =>
      !isChosen(name) &&
      trap.creates
        .slice(0, at)
        .some((one) => one.name === name && (one.id === undefined || !trap.revoked.includes(one.id))),
  );
  trap.creates.splice(0);
  return again.map(({ name }) => `a create of ${name} was sent twice`);
}

interface Recorded {
  readonly id: string;
  readonly token: string | undefined;
}

/** Promises after the last `up` succeeded: every declared token exists and works, and every other live token was named. */
async function lookAt(scene: Scene, report: string): Promise<string[]> {
  const { workspace, trap, service } = scene;
  const problems: string[] = [];
  const exported = await workspace.run(["stack", "export", "--show-secrets"]);
  const tokens = tokensOf(exported.stdout);
  if ([...tokens.keys()].join() !== scene.declared.join()) problems.push(`the state has ${[...tokens.keys()].join()}`);
  const outputs = outputsOf(exported.stdout);
  for (const name of scene.declared) {
    const secret = String(outputs[name]);
    const { id, token } = tokens.get(name) ?? { id: "", token: "" };
    if (token !== secret) problems.push(`what holds ${name} holds another secret than the state`);
    if (trap.ids.get(secret) !== id) problems.push(`the secret of ${name} is not that of ${id}`);
    const { status } = await fetch(`${service.url}/v2/tokens`, { headers: { authorization: `Bearer ${secret}` } });
    if (status !== 200) problems.push(`the secret of ${name} is answered with ${status}`);
  }
  const tracked = new Set([...tokens.values()].map(({ id }) => id));
  const orphans = (await service.list()).map(({ id }) => id).filter((id) => !tracked.has(id));
  for (const id of orphans) if (!report.includes(id)) problems.push(`the audit does not name the live token ${id}`);
  const datasets = await scene.events?.judge(scene.declaredDatasets, datasetsOf(exported.stdout));
  return [...problems, ...(datasets ?? [])];
}

interface Secret {
  readonly plaintext: string;
}

interface Exported {
  readonly deployment: {
    readonly resources: readonly {
      readonly urn: string;
      readonly id: string;
      readonly outputs?: Readonly<Record<string, Secret | string>>;
    }[];
  };
}

function tokensOf(exported: string): Map<string, Recorded> {
  const { resources } = (JSON.parse(exported) as Exported).deployment;
  const all = resources.filter(({ urn }) => urn.includes(":ApiToken::"));
  return new Map(
    all
      .map(({ urn, id, outputs }) => [urn.split("::").pop() ?? "", { id, token: plainText(outputs?.token) }] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function datasetsOf(exported: string): RecordedDataset[] {
  const { resources } = (JSON.parse(exported) as Exported).deployment;
  const all = resources.filter(({ urn }) => urn.includes(":Dataset::"));
  return all.map(({ urn, id, outputs }) => ({
    name: urn.split("::").pop() ?? "",
    id,
    createdAt: plainText(outputs?.createdAt),
  }));
}

const plainText = (value: Secret | string | undefined): string | undefined =>
  typeof value === "object" ? JSON.parse(value.plaintext) : value;

/** The outputs that the stack's consumers read. */
function outputsOf(exported: string): Record<string, string | undefined> {
  const { resources } = (JSON.parse(exported) as Exported).deployment;
  const outputs = resources.find(({ urn }) => urn.includes("::pulumi:pulumi:Stack::"))?.outputs ?? {};
  return Object.fromEntries(Object.entries(outputs).map(([name, secret]) => [name, plainText(secret)]));
}
