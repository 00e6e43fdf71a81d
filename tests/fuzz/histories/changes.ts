import type { ApiTokenInputs } from "../../../provider/nouns/apiToken/definition";
import type { Profile } from "../../../sdk";
import type { Random } from "../random";
import type { Declared } from "./model";
import type { Stack } from "./stack";
import type { World } from "./world";

/** A stack, and what its program declares by now. */
export interface Actor {
  readonly stack: Stack;
  readonly program: Map<string, Declared>;
}

/** The things that all actors of a history share. */
export interface Scene {
  readonly world: World;
  readonly random: Random;
  readonly profile: Profile;
  /** The account of each provider. */
  readonly accounts: Readonly<Record<"p1" | "p2", string>>;
  /** Tokens that nobody declares. */
  readonly byHand: Set<string>;
  /** Another value each time. */
  readonly next: () => string;
}

/** Changes one resource of a program, or the service. @returns what it did, for the steps of the history */
type Change = (scene: Scene, actor: Actor, key: string, before: Declared) => unknown;

export const keys = ["a", "b", "c", "d"] as const;

/** A change of these arguments; an empty one is removed. A borrowed token is not changed: that would only be a warning. */
function set({ program }: Actor, key: string, before: Declared, args: object, ofOwn: object = {}): void {
  const changed = { ...before.args, ...args, ...(before.args.adopt ? {} : ofOwn) };
  program.set(key, { ...before, args: withoutEmpty(changed) });
}

export function withoutEmpty(args: object): Partial<ApiTokenInputs> {
  const isEmpty = (value: unknown) =>
    value === "" || value === undefined || (typeof value === "object" && Object.keys(value as object).length === 0);
  return Object.fromEntries(Object.entries(args).filter(([, value]) => !isEmpty(value)));
}

const findFree = ({ program, stack }: Actor) => keys.find((key) => !program.has(key) && !stack.find(key));

export function declareNew({ random, profile, next }: Scene, { program, stack }: Actor): string | undefined {
  const key = keys.find((one) => !program.has(one));
  if (key === undefined) return undefined;
  const times = random.pick([{}, {}, { expiresIn: "90d" }, { expiresIn: "90d" }, { expiresIn: "12h" }]);
  const rotateBefore = times.expiresIn === "90d" && random.chance(0.5) ? "14d" : "";
  const overlap = profile === "extended" && random.chance(0.3) ? "2d" : "";
  const args = withoutEmpty({ description: next(), ...times, rotation: withoutEmpty({ rotateBefore, overlap }) });
  // Another account is not another provider: docs/concepts.md.
  program.set(key, { args, provider: stack.find(key)?.provider ?? random.pick(["p1", "p1", "p2"]) });
  return key;
}

export const changes: Readonly<Record<string, Change>> = {
  none: () => undefined,
  description: ({ next }, actor, key, before) => set(actor, key, before, {}, { description: next() }),
  rotation({ profile, random, next }, actor, key, before) {
    const { rotation } = before.args;
    const overlap = profile === "extended" ? random.pick([rotation?.overlap ?? "", "", "2d", "45d"]) : "";
    const triggers = { n: random.chance(0.7) && !before.args.adopt ? next() : (rotation?.triggers?.n ?? "first") };
    set(actor, key, before, { rotation: withoutEmpty({ ...rotation, overlap, triggers }) });
  },
  retire({ profile, random, next }, actor, key, before) {
    const { expiresIn, expiresAt } = before.args;
    const hasEnd = expiresIn !== undefined || expiresAt !== undefined;
    const retire = random.pick(["", hasEnd ? "expire" : "", profile === "extended" ? "revoke" : ""]);
    set(actor, key, before, { retire }, random.chance(0.5) ? { description: next() } : {});
  },
  drop: (_, { program }, key) => program.delete(key),
  rename(_, actor, key, before) {
    const free = findFree(actor);
    if (free === undefined) return;
    actor.program.delete(key);
    actor.program.set(free, { ...before, alias: key });
  },
  options({ accounts, random }, { program }, key, before) {
    const provider = accounts.p1 === accounts.p2 ? random.pick(["p1", "p2"]) : before.provider;
    const [deleteBeforeReplace, retainOnDelete] = [random.chance(0.5), random.chance(0.2)];
    program.set(key, { ...before, provider, deleteBeforeReplace, retainOnDelete });
  },
  byHand: ({ world, random, byHand }) =>
    byHand.add(world.mint(random.pick(["A", "A", "B"]), { name: random.pick(["hand", "other"]) }).id),
  vanish: ({ world, random }) => world.change(random.pick(["", ...world.live.map(({ id }) => id)]), { isLive: false }),
  /** Whatever is alive: made by hand, of the other stack, retained, or of a resource that leaves the program for this one. */
  adopt({ world, random, accounts }, actor) {
    const { program, stack } = actor;
    const free = findFree(actor);
    const token = world.live.length > 0 ? random.pick(world.live) : undefined;
    if (free === undefined || token === undefined) return "";
    const { id, fields, secret, account } = token;
    const owner = stack.all.find((one) => one.id === id);
    program.delete(owner?.key ?? "");
    const provider = owner?.provider ?? (accounts.p1 === account ? "p1" : "p2");
    const adopt = { id, ...(random.chance(0.3) ? { token: secret } : {}) };
    program.set(free, { args: { ...fields, adopt }, provider });
    return `${id} as ${free}`;
  },
  release({ random, next }, actor) {
    const [key, before] = [...actor.program].find(([, { args }]) => args.adopt) ?? [];
    if (before) set(actor, String(key), before, { adopt: "", ...(random.chance(0.5) ? { description: next() } : {}) });
  },
};
