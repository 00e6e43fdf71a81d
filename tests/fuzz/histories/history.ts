import type { Profile } from "../../../sdk";
import { type Random, randomOf } from "../random";
import { type Access, type Declared, Stack } from "./stack";
import { type Death, type Fault, World } from "./world";
import type { Worlds } from "./worlds";

/** The credentials of the histories: two of one account, one of another. */
export const credentials = {
  "xaat-credential-a1": "A",
  "xaat-credential-a2": "A",
  "xaat-credential-b1": "B",
} as const satisfies Record<string, string>;

type Credential = keyof typeof credentials;

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

/** What went wrong in a history, and what was done. */
export interface Outcome {
  readonly violations: readonly string[];
  readonly steps: readonly string[];
}

/** A stack, and what its program declares by now. */
interface Program {
  readonly name: string;
  readonly stack: Stack;
  readonly declared: Map<string, Declared>;
}

/** Plays one history: random steps of two stacks against a service with random faults, the same for the same seed. */
export async function playHistory(worlds: Worlds, seed: number): Promise<Outcome> {
  const random = randomOf(seed);
  const world = new World(seed);
  const profile: Profile = random.chance(0.5) ? "extended" : "documented";
  const programs = ["one", "two"].map((name): Program => {
    const stack = new Stack(name, worlds.addressOf(world, name), world, profile);
    return { name, stack, declared: new Map() };
  });
  world.mayRevoke = (id, by) => programs.some(({ name, stack }) => name === by && stack.mayRevoke(id));
  const history = new History(world, programs, random, profile, random.chance(0.3));
  try {
    for (let step = 0; step < 14; step++) await history.step();
    return { violations: [...world.violations, ...history.violations()], steps: history.steps };
  } finally {
    worlds.forget(world);
  }
}

class History {
  readonly steps: string[] = [];
  /** Made by hand: nobody's to delete, unless adopted. */
  readonly #foreign = new Set<string>();
  #triggers = 0;

  constructor(
    private readonly world: World,
    private readonly programs: readonly Program[],
    private readonly random: Random,
    private readonly profile: Profile,
    /** Whether the settings say which account a credential is of. */
    private readonly labels: boolean,
  ) {}

  async step(): Promise<void> {
    const { random, world } = this;
    const rate = random.pick([0, 0, 0.2, 0.5]);
    world.nextFault = () => (random.chance(rate) ? random.pick(faults) : "none");
    const program = random.pick([this.programs[0], this.programs[0], this.programs[1]] as const) as Program;
    const kind = random.pick(changes);
    const note = this.#change(kind, program);
    const action = random.pick(["up", "up", "up", "refresh"] as const);
    const access = this.#access();
    const death: Death | undefined = random.chance(0.25)
      ? { after: Math.floor(random.next() * 8), moment: random.pick(["before", "unanswered", "answered"]) }
      : undefined;
    const end = death ? `, killed ${death.moment} after ${death.after} requests` : "";
    this.steps.push(
      `${program.name}: ${kind} ${note}; ${action} as ${access.credential} (${access.label}), faults ${rate}${end}`,
    );
    world.begin(death);
    if (action === "refresh") await program.stack.refresh(access);
    else await program.stack.up(access, Object.fromEntries(program.declared));
    program.stack.passTime(random.pick([60_000, 86_400_000, 40 * 86_400_000]));
  }

  /** Mostly the stacks' own account, now and then the other one. */
  #access(): Access {
    const { random } = this;
    const own: Credential = random.chance(0.2) ? "xaat-credential-a2" : "xaat-credential-a1";
    const credential: Credential = random.chance(0.15) ? "xaat-credential-b1" : own;
    return { credential, label: this.labels ? `account ${credentials[credential]}` : undefined };
  }

  /** What happens between two commands. */
  #change(kind: (typeof changes)[number], { declared, stack }: Program): string {
    const { random, world } = this;
    const name = random.pick(["a", "b", "c", "d"]);
    const before = declared.get(name);
    switch (kind) {
      case "declare":
        declared.set(name, before ?? { description: "first", ...this.#rotation() });
        return name;
      case "change":
        if (before && before.adopt === undefined) declared.set(name, { ...before, description: `v${random.next()}` });
        return name;
      case "drop":
        declared.delete(name);
        return name;
      case "rotate":
        this.#triggers += 1;
        if (before && before.adopt === undefined)
          declared.set(name, {
            ...before,
            rotation: { ...(before.rotation as object), triggers: { n: this.#triggers } },
          });
        return name;
      case "release":
        if (before) declared.set(name, { ...before, adopt: undefined });
        return name;
      case "foreign":
        this.#foreign.add(world.mint(random.pick(["A", "B"]), { name: random.pick(["hand", "other"]) }).id);
        return "";
      case "adopt":
        return before ? "" : this.#adopt(name, declared, stack);
      case "vanish": {
        const ids = [...world.live.keys()];
        if (ids.length > 0) world.remove(random.pick(ids));
        return "";
      }
      case "none":
        return "";
    }
  }

  /** Whatever is alive and not managed by this stack: made by hand, or by the other stack, in either account. */
  #adopt(name: string, declared: Map<string, Declared>, stack: Stack): string {
    const { random, world } = this;
    const others = [...world.live.values()].filter(({ id }) => !stack.manages(id));
    if (others.length === 0) return "";
    const { id, fields } = random.pick(others);
    declared.set(name, {
      ...fields,
      adopt: random.chance(0.5) ? { id } : { name: fields.name },
      ...(this.profile === "extended" && random.chance(0.2) ? { retire: "revoke" } : {}),
    });
    return `${name} ${id}`;
  }

  #rotation(): Declared {
    return this.random.chance(0.3) ? { rotation: { expireAfter: "90d", rotateBefore: "14d" } } : {};
  }

  /** What does not hold at the end. */
  violations(): string[] {
    const stacks = this.programs.map(({ stack }) => stack);
    const told = stacks.flatMap((stack) => stack.told).join("\n");
    const found: string[] = [];
    for (const { id, name, account } of this.world.live.values()) {
      const known =
        this.#foreign.has(id) ||
        stacks.some((stack) => stack.manages(id) || stack.pending.includes(name)) ||
        new RegExp(`\\b${id}\\b`).test(told) ||
        // An error whose list failed too can name no id.
        told.includes(`"${name}" may exist`);
      if (!known) found.push(`nobody knows of the live token ${id} "${name}" of ${account}`);
    }
    const elsewhere = stacks.map((stack) => stack.recordedBesideSecrets()).join("\n") + told;
    for (const secret of [...this.world.secrets, ...Object.keys(credentials)])
      if (elsewhere.includes(secret)) found.push(`the secret of ${secret.slice(-13)} is outside its field`);
    return found;
  }
}

const changes = [
  "declare",
  "declare",
  "change",
  "drop",
  "rotate",
  "release",
  "foreign",
  "adopt",
  "vanish",
  "none",
] as const;
