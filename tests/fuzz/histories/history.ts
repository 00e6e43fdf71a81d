import type { Profile } from "../../../sdk";
import { defined } from "../../../values/defined";
import { type Random, randomOf } from "../random";
import { type Change, changes, describeWays, faults, names } from "./choices";
import type { Access, Declared, Ways } from "./model";
import { Stack } from "./stack";
import { type Death, World } from "./world";
import type { Worlds } from "./worlds";

/** The credentials of the histories: two of one account, one of another. */
export const credentials = {
  "xaat-credential-a1": "A",
  "xaat-credential-a2": "A",
  "xaat-credential-b1": "B",
} as const satisfies Record<string, string>;

type Credential = keyof typeof credentials;

/** The violations found in a history, and its steps. */
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
  /** The stack whose process was killed before a deletion. */
  #interrupted: Program | undefined;

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
    const resumed = random.chance(0.5) ? this.#interrupted : undefined;
    const program =
      resumed ?? (random.pick([this.programs[0], this.programs[0], this.programs[1]] as const) as Program);
    const kind = resumed ? "none" : random.pick(changes);
    const note = this.#change(kind, program);
    const action = resumed ? "up" : random.pick(["up", "up", "up", "refresh"] as const);
    const access = this.#access(program.stack);
    const ways = this.#ways();
    const death = this.#death();
    const end = death ? `, killed ${death.moment} after ${death.after} ${death.method ?? "requests"}` : "";
    this.steps.push(
      `${program.name}: ${kind} ${note}; ${action} as ${access.credential} (${access.label}), faults ${rate}${describeWays(ways)}${end}`,
    );
    this.#interrupted = death?.method === "DELETE" ? program : undefined;
    world.begin(death);
    if (action === "refresh") await program.stack.refresh(access);
    else await program.stack.up(access, Object.fromEntries(program.declared), ways);
    world.passTime(random.pick([60_000, 86_400_000, 40 * 86_400_000]));
  }

  /** Before the first deletion a replacement has its successor, and the old token is still there. */
  #death(): Death | undefined {
    const { random } = this;
    if (random.chance(0.7)) return undefined;
    const moment = random.pick(["before", "unanswered", "answered"] as const);
    return random.chance(0.4)
      ? { after: 0, moment, method: "DELETE" }
      : { after: Math.floor(random.next() * 8), moment };
  }

  /** Mostly the stacks' own account, now and then the other one, or a token that the stack manages. */
  #access({ resources, toDelete }: Stack): Access {
    const { random, world } = this;
    const own: Credential = random.chance(0.2) ? "xaat-credential-a2" : "xaat-credential-a1";
    const credential: Credential = random.chance(0.15) ? "xaat-credential-b1" : own;
    const managed = [...resources.values(), ...toDelete].filter(({ state }) => state.token !== undefined);
    if (managed.length > 0 && random.chance(0.1)) {
      const { state } = random.pick(managed);
      const account = world.accountOf(state.token ?? "");
      if (account !== undefined) return { credential: state.token ?? "", label: this.#labelOf(account) };
    }
    return { credential, label: this.#labelOf(credentials[credential]) };
  }

  #labelOf = (account: string): string | undefined => (this.labels ? `account ${account}` : undefined);

  /** Mostly as the engine replaces by itself. */
  #ways(): Ways {
    const { random } = this;
    const some = (probability: number) => new Set(names.filter(() => random.chance(probability)));
    const none = new Set<string>();
    return {
      targets: random.chance(0.2) ? some(0.5) : none,
      onChanges: random.chance(0.2) ? some(0.5) : none,
      deleteBeforeReplace: random.chance(0.3) ? some(0.7) : none,
    };
  }

  /** Applies a change between two commands. */
  #change(kind: Change, { declared, stack }: Program): string {
    const { random, world } = this;
    const name = random.pick(names);
    const before = declared.get(name);
    switch (kind) {
      case "declare":
        declared.set(name, before ?? withRotation({ description: "first" }, this.#rotation()));
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
          declared.set(name, withRotation(before, { triggers: { n: this.#triggers } }));
        return name;
      case "overlap":
        return this.#overlap(declared);
      case "release":
        if (before) declared.set(name, { ...before, adopt: undefined });
        return name;
      case "supersede":
        return this.#supersede(declared);
      case "retire":
        if (before) declared.set(name, { ...before, retire: random.pick([[], ["revoke"], ["expire"]])[0] });
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

  /** An adopted token is released and replaced at once. */
  #supersede(declared: Map<string, Declared>): string {
    const [name, before] = [...declared].find(([, one]) => one.adopt !== undefined) ?? [];
    if (name === undefined) return "";
    declared.set(name, { ...before, adopt: undefined, description: `v${this.random.next()}` });
    return name;
  }

  /** The overlap of a token changes, mostly with a rotation. The documented profile has only the rotation. */
  #overlap(declared: Map<string, Declared>): string {
    const { random } = this;
    if (declared.size === 0) return "";
    const [name, before] = random.pick([...declared]);
    const overlap = this.profile === "extended" ? random.pick([[], ["2d"], ["45d"]])[0] : undefined;
    const isRotated = before.adopt === undefined && random.chance(0.7);
    if (isRotated) this.#triggers += 1;
    declared.set(name, withRotation(before, { overlap, ...(isRotated ? { triggers: { n: this.#triggers } } : {}) }));
    return name;
  }

  /** Whatever is alive and not managed by this stack: made by hand, or by the other stack, in either account. */
  #adopt(name: string, declared: Map<string, Declared>, stack: Stack): string {
    const { random, world } = this;
    const others = [...world.live.values()].filter(({ id }) => !stack.manages(id));
    if (others.length === 0) return "";
    const { id, fields, secret } = random.pick(others);
    const token = random.chance(0.3) ? { token: secret } : {};
    declared.set(name, {
      ...fields,
      adopt: { ...(random.chance(0.5) ? { id } : { name: fields.name }), ...token },
      ...(this.profile === "extended" && random.chance(0.2) ? { retire: "revoke" } : {}),
    });
    return `${name} ${id}`;
  }

  #rotation(): Declared {
    const { random } = this;
    const times = random.chance(0.3) ? { expireAfter: "90d", rotateBefore: "14d" } : {};
    return this.profile === "extended" && random.chance(0.3) ? { ...times, overlap: "2d" } : times;
  }

  /** The promises that do not hold at the end. */
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

/** A program with these members of its rotation changed; those that are undefined are removed. */
function withRotation(declared: Declared, changed: Declared): Declared {
  const rotation = defined({ ...(declared.rotation as object), ...changed });
  return { ...declared, rotation: Object.keys(rotation).length > 0 ? rotation : undefined };
}
