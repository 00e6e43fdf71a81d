import { EventDatasets, type Profile } from "../../../sdk";
import { type Random, randomOf } from "../random";
import { type Declared, Stack } from "./stack";
import { type Fault, World, type Worlds } from "./world";

/** The credentials of the histories: two of one account, one of another, one of nobody. */
export const credentials = {
  "xaat-credential-a1": "A",
  "xaat-credential-a2": "A",
  "xaat-credential-b1": "B",
} as const satisfies Record<string, string>;

const faults: readonly Fault[] = [
  "reset before",
  "reset after",
  "error before",
  "error after",
  "too many",
  "page before",
  "page after",
  "cut after",
  "hidden",
];

export interface HistoryOptions {
  /** Whether a wrong credential is used now and then. */
  readonly accounts: boolean;
}

/** What went wrong in a history, and what was done. */
export interface Outcome {
  readonly violations: readonly string[];
  readonly steps: readonly string[];
}

/** Plays one history: random steps of a stack against a service with random faults, the same for the same seed. */
export async function playHistory(worlds: Worlds, seed: number, options: HistoryOptions): Promise<Outcome> {
  const random = randomOf(seed);
  const world = new World(seed);
  const profile: Profile = random.chance(0.5) ? "extended" : "documented";
  const stack = new Stack(profile);
  world.isManaged = (id) => stack.manages(id) || isOwnAttempt(world, stack, id);
  const history = new History(worlds, world, stack, random, profile, options);
  try {
    for (let step = 0; step < 12; step++) await history.step();
    return { violations: [...world.violations, ...history.violations()], steps: history.steps };
  } finally {
    worlds.forget(world);
  }
}

/** A token whose create went unanswered may be revoked by the one who sent it: its generated name proves it. */
function isOwnAttempt(world: World, stack: Stack, id: string): boolean {
  const name = world.live.get(id)?.name ?? "";
  return /^[a-d]-[0-9a-f]{7}$/.test(name) && !stack.pending.includes(name);
}

class History {
  readonly steps: string[] = [];
  readonly #declared = new Map<string, Declared>();
  /** Made by hand: not ours to delete, unless adopted. */
  readonly #foreign = new Set<string>();
  #triggers = 0;

  constructor(
    private readonly worlds: Worlds,
    private readonly world: World,
    private readonly stack: Stack,
    private readonly random: Random,
    private readonly profile: Profile,
    private readonly options: HistoryOptions,
  ) {}

  async step(): Promise<void> {
    const { random } = this;
    const rate = random.pick([0, 0, 0.2, 0.5]);
    this.world.nextFault = () => (random.chance(rate) ? random.pick(faults) : "none");
    const kind = random.pick(["declare", "declare", "change", "drop", "rotate", "foreign", "adopt", "vanish", "none"]);
    const note = this.#change(kind);
    const action = random.pick(["up", "up", "up", "refresh", "kill"]);
    const credential = this.#credential();
    this.steps.push(`${kind} ${note}; ${action} as ${credential}, faults ${rate}`);
    await using client = new EventDatasets({
      baseUrl: this.worlds.addressOf(this.world),
      accessToken: credential,
      profile: this.profile,
      sleep: async () => undefined,
      random: () => 0,
    });
    const declared = Object.fromEntries(this.#declared);
    if (action === "refresh") await this.stack.refresh(client);
    else await this.stack.up(client, declared, action === "kill" ? random.pick(["a", "b", "c", "d"]) : undefined);
    this.stack.passTime(random.pick([60_000, 86_400_000, 40 * 86_400_000]));
  }

  #credential(): string {
    const { random } = this;
    if (this.options.accounts && random.chance(0.15)) return "xaat-credential-b1";
    return random.chance(0.2) ? "xaat-credential-a2" : "xaat-credential-a1";
  }

  /** What happens between two commands. */
  #change(kind: string): string {
    const { random, world } = this;
    const name = random.pick(["a", "b", "c", "d"]);
    const declared = this.#declared.get(name);
    switch (kind) {
      case "declare":
        this.#declared.set(name, declared ?? { description: "first", ...this.#rotation() });
        return name;
      case "change":
        if (declared && declared.adopt === undefined)
          this.#declared.set(name, { ...declared, description: `v${random.next()}` });
        return name;
      case "drop":
        this.#declared.delete(name);
        return name;
      case "rotate":
        this.#triggers += 1;
        if (declared && declared.adopt === undefined)
          this.#declared.set(name, { ...declared, rotation: { triggers: { n: this.#triggers } } });
        return name;
      case "foreign":
        this.#foreign.add(world.mint(random.pick(["A", "B"]), { name: random.pick(["hand", "other"]) }).id);
        return "";
      case "adopt": {
        const own = [...world.live.values()].filter(({ id, account }) => this.#foreign.has(id) && account === "A");
        const [token] = own;
        if (!token || declared) return "";
        this.#declared.set(name, {
          name: token.name,
          adopt: random.chance(0.5) ? { id: token.id } : { name: token.name },
        });
        return `${name} ${token.id}`;
      }
      case "vanish": {
        const ids = [...world.live.keys()];
        if (ids.length > 0) world.remove(random.pick(ids));
        return "";
      }
      default:
        return "";
    }
  }

  #rotation(): Declared {
    return this.random.chance(0.3) ? { rotation: { expireAfter: "90d", rotateBefore: "14d" } } : {};
  }

  /** What does not hold at the end. */
  violations(): string[] {
    const found: string[] = [];
    const told = this.stack.told.join("\n");
    for (const { id, name, account } of this.world.live.values()) {
      const known =
        this.#foreign.has(id) ||
        this.stack.manages(id) ||
        this.stack.pending.includes(name) ||
        new RegExp(`\\b${id}\\b`).test(told) ||
        // An error whose list failed too can name no id.
        told.includes(`"${name}" may exist`);
      if (!known) found.push(`nobody knows of the live token ${id} "${name}" of ${account}`);
    }
    const states = [...this.stack.resources.values(), ...this.stack.toDelete];
    const elsewhere = JSON.stringify(states.map(({ state: { token: _, ...rest }, inputs }) => [rest, inputs])) + told;
    for (const secret of [...this.world.secrets, ...Object.keys(credentials)])
      if (elsewhere.includes(secret)) found.push(`the secret of ${secret.slice(-13)} is outside its field`);
    return found;
  }
}
