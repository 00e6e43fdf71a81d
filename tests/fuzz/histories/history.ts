import type { Selection } from "../../../framework/testing";
import { randomOf } from "../random";
import { type Actor, changes, declareNew, keys, type Scene, withoutEmpty } from "./changes";
import { pickClock, pickOffset } from "./clock";
import { consumerOf } from "./consumer";
import type { Command, Recorded } from "./model";
import { Stack } from "./stack";
import { type Death, faults, rootOf, serveWorld, World } from "./world";

/** The violations found in a history, and its steps. */
export interface Outcome {
  readonly violations: readonly string[];
  readonly steps: readonly string[];
}

/** The subject of a history: the tokens of one account, or several accounts. */
export type Theme = "tokens" | "accounts";

const day = 86_400_000;

/** Plays one history: random steps of two stacks against a service with random faults, the same for the same seed. */
export async function playHistory(seed: number, theme: Theme): Promise<Outcome> {
  const random = randomOf(seed);
  const world = new World(seed);
  await using service = await serveWorld(world);
  let count = 0;
  const scene: Scene = {
    world,
    random,
    profile: random.chance(0.7) ? "extended" : "documented",
    accounts: { p1: "A", p2: theme === "accounts" && random.chance(0.5) ? "B" : "A" },
    byHand: new Set(),
    next: () => `v${++count}`,
  };
  const form = { profile: scene.profile, seesOptions: random.chance(0.7) };
  const actors = ["one", "two"].map((name): Actor => {
    const stack = new Stack(name, world, { ...form, baseUrl: `${service.url}/${name}` });
    return { stack, program: new Map() };
  });
  const history = new History(scene, actors, theme);
  for (let step = 0; step < 12; step++) await history.step();
  await history.settle();
  return { violations: [...world.violations, ...history.violations()], steps: history.steps };
}

class History {
  readonly steps: string[] = [];
  readonly #scene: Scene;
  readonly #actors: readonly Actor[];
  readonly #theme: Theme;
  /** The stack whose process was killed before a deletion. */
  #interrupted: Actor | undefined;

  constructor(scene: Scene, actors: readonly Actor[], theme: Theme) {
    this.#scene = scene;
    this.#actors = actors;
    this.#theme = theme;
  }

  async step(): Promise<void> {
    const { random, world } = this.#scene;
    const rate = random.pick([0, 0, 0.2, 0.5]);
    world.nextFault = () => (random.chance(rate) ? random.pick(faults) : "none");
    const resumed = random.chance(0.5) ? this.#interrupted : undefined;
    const actor = resumed ?? (this.#actors[random.chance(0.7) ? 0 : 1] as Actor);
    for (const _ of resumed ? [] : random.pick([["one"], ["one"], ["one", "two"]])) this.#change(actor);
    const some = (probability: number) => keys.filter(() => random.chance(probability));
    const death = this.#death();
    this.#interrupted = death?.method === "DELETE" ? actor : undefined;
    world.clock = pickClock(random, world.now);
    this.steps.push(`faults ${rate}, death ${JSON.stringify(death)}, clock ${JSON.stringify(world.clock)}`);
    world.begin(death);
    await this.#run(actor, {
      kind: random.pick(["up", "up", "up", "up", "up --refresh", "refresh", "destroy"]),
      credentials: this.#credentials(actor),
      goesOn: random.chance(0.4),
      replace: some(random.pick([0, 0, 0, 0.5])),
      onChanges: some(random.pick([0, 0, 0, 0.5])),
      failing: some(random.pick([0, 0, 0.5])),
      ahead: pickOffset(random),
      ...this.#select(),
    });
    world.passTime(random.pick([5_000, 60_000, day, 40 * day]));
  }

  #change(actor: Actor): void {
    const { random } = this.#scene;
    const isNew = actor.program.size === 0 || random.chance(0.15);
    if (isNew) return void this.steps.push(`${actor.stack.name} declares ${declareNew(this.#scene, actor)}`);
    const [key, before] = random.pick([...actor.program]);
    const [name, change] = random.pick(Object.entries(changes));
    this.steps.push(`${actor.stack.name}: ${name} of ${key}: ${change(this.#scene, actor, key, before)}`);
  }

  /** Mostly everything. */
  #select(): Selection {
    const { random } = this.#scene;
    if (random.chance(0.7)) return {};
    const some = [...keys, ...keys.map(consumerOf)].filter(() => random.chance(0.4));
    return random.pick([{ target: some }, { exclude: some }]);
  }

  /** Before the first deletion a replacement has its successor, and the old token is still there. */
  #death(): Death | undefined {
    const { random } = this.#scene;
    if (random.chance(0.7)) return undefined;
    const moment = random.pick(["before", "unanswered", "answered"] as const);
    return random.chance(0.4)
      ? { after: 0, moment, method: "DELETE" }
      : { after: Math.floor(random.next() * 8), moment };
  }

  /** Mostly those of the providers' accounts; now and then a token that the stack manages, or one of another account. */
  #credentials({ stack }: Actor): Command["credentials"] {
    const { random, world, accounts } = this.#scene;
    const isOfAccounts = this.#theme === "accounts";
    const wrong = isOfAccounts && random.chance(0.2) ? random.pick(["A", "B"]) : undefined;
    const isRenewed = random.chance(isOfAccounts ? 0.4 : 0.2);
    const own = stack.all.length > 0 && random.chance(0.1) ? random.pick(stack.all).state.token : undefined;
    const isUsable = own && [accounts.p1, accounts.p2].every((account) => account === world.accountOf(own));
    const of = (account: string) => (isUsable ? own : rootOf(wrong ?? account, isRenewed));
    return { p1: of(accounts.p1), p2: of(accounts.p2) };
  }

  async #run({ stack, program }: Actor, command: Command): Promise<void> {
    const { world } = this.#scene;
    const [told, found] = [stack.told.length, world.violations.length];
    await stack.run(command, program);
    const describe = ({ key, id, provider, isPending = false, state }: Recorded) =>
      `${key}=${id}@${provider} ${isPending && "pending"} ${JSON.stringify(state.record)}`;
    this.steps.push(
      `${stack.name}: ${JSON.stringify(command)}`,
      ...world.violations.slice(found).map((violation) => `  VIOLATION ${violation}`),
      ...stack.told.slice(told).map((message) => `  "${message}"`),
      `  has ${stack.all.map(describe)}, consumers ${JSON.stringify(stack.consumers)}`,
      `  live: ${world.live.map(({ id, account }) => `${id} of ${account}`)}`,
    );
  }

  /**
   * In the end everybody has the right access tokens, and nothing fails any more: whatever has happened, `up` succeeds, at most
   * after the one documented step, and everything can be destroyed.
   */
  async settle(): Promise<void> {
    const { world, accounts } = this.#scene;
    world.nextFault = () => "none";
    world.clock = { offset: 0 };
    world.passTime(day);
    world.begin();
    for (const actor of this.#actors) {
      const { stack, program } = actor;
      for (const [key, { args, ...more }] of program) {
        const next = { description: "settled", expiresIn: "90d", retire: args.retire, rotation: args.rotation };
        program.set(key, { ...more, args: withoutEmpty(next) });
      }
      // Such a token stays until somebody removes it with the settings of its account, or one of its two resources.
      const isElsewhere = ({ id, key, provider }: Recorded) => {
        const declared = [...program].find(([name, { alias }]) => name === key || alias === key)?.[1].provider;
        const providers = [provider, declared ?? provider] as (keyof typeof accounts)[];
        return providers.some((name) => world.tokens.get(id)?.account !== accounts[name]);
      };
      const isStuck = stack.all.some(isElsewhere) || new Set(stack.all.map(({ id }) => id)).size < stack.all.length;
      const failures = await this.#finish(actor, "up", accounts);
      if (!isStuck && failures.length > 0) world.violations.push(`up fails for ever: ${failures.join(" ")}`);
      await this.#finish(actor, "destroy", accounts);
      for (const account of ["A", "B"]) await this.#finish(actor, "destroy", { p1: account, p2: account });
      if (stack.all.length > 0) world.violations.push(`no destroy removes ${stack.all.map(({ id }) => id)}`);
    }
  }

  /** Runs a command as often as its errors say how to go on. */
  async #finish(actor: Actor, kind: "up" | "destroy", { p1, p2 }: Scene["accounts"]): Promise<readonly string[]> {
    const credentials = { p1: rootOf(p1, true), p2: rootOf(p2, true) };
    const gone = new Set<string>();
    for (let isNew = true; isNew; ) {
      await this.#run(actor, { kind, credentials, goesOn: true, notFound: [...gone].join(",") });
      const named = actor.stack.failures.map((message) => /EVENT_DATASETS_NOT_FOUND=([\w,]+)/.exec(message)?.[1] ?? "");
      const before = gone.size;
      for (const id of named.join(",").split(",")) if (id && !this.#scene.world.isLive(id)) gone.add(id);
      isNew = gone.size > before;
    }
    return actor.stack.failures;
  }

  /** The promises that do not hold at the end. */
  violations(): string[] {
    const { world, byHand } = this.#scene;
    const stacks = this.#actors.map(({ stack }) => stack);
    const told = stacks.flatMap((stack) => stack.told).join("\n");
    const lost = world.live.filter(({ id, fields: { name } }) => {
      const isPending = stacks.some((stack) => stack.pendingCreates.includes(String(name)));
      const isRetained = stacks.some((stack) => stack.retained.has(id));
      return !byHand.has(id) && !isPending && !isRetained && !new RegExp(`\\b${id}\\b|"${name}" may exist`).test(told);
    });
    const shown = [...world.tokens.values()].filter(({ secret }) => told.includes(secret));
    return [
      ...lost.map(({ id, account }) => `nobody knows of the live token ${id} of ${account}`),
      ...shown.map(({ id }) => `a message shows the secret of ${id}`),
    ];
  }
}
