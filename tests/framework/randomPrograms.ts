import { type Command, outputOf, type Program } from "../../framework/testing";
import type { Options } from "../../framework/testing/program";
import { type Random, randomOf } from "../fuzz/random";

/** A resource of a random program. */
interface Part {
  readonly start: number | { readonly of: string };
  readonly label?: string | { readonly of: string } | undefined;
  readonly options: Options;
}

/** A program in both languages: that of the engine in memory, and JavaScript. */
export interface RandomStep {
  readonly command: Command;
  /** The lines of a program after the class `Counter`. */
  readonly source: string;
  /** The changes that somebody makes before the command to the objects of the stack, by the names of resources. */
  readonly drift: Readonly<Record<string, "deleted" | "relabelled">>;
}

const names = ["a", "b", "c", "d", "e"] as const;

/** Labels that make the service fail. */
export const labels = { refused: "refused", keyless: "keyless", stuck: "stuck" } as const;

/** Commands with the programs of one stack. */
export function randomSteps(seed: number, count: number): readonly RandomStep[] {
  const random = randomOf(seed);
  // One resource after the other: then the order of all calls is the same in each run, whatever fails.
  const isChain = random.chance(0.5);
  let parts: Readonly<Record<string, Part>> = {};
  const known = new Set<string>();
  return Array.from({ length: count }, () => {
    parts = changeParts(random, parts, isChain);
    const program = programOf(parts, isChain);
    for (const name of Object.keys(parts)) known.add(name);
    const command = { ...randomCommand(random, [...known], isChain), program };
    const drift = Object.fromEntries(
      names.filter(() => random.chance(0.1)).map((name) => [name, random.pick(["deleted", "relabelled"] as const)]),
    );
    return { command, source: sourceOf(parts, isChain), drift };
  });
}

function changeParts(random: Random, before: Readonly<Record<string, Part>>, isChain: boolean) {
  const parts: Record<string, Part> = {};
  for (const name of names) {
    const old = before[name];
    const earlier = Object.keys(parts);
    if (old && random.chance(0.15)) continue;
    if (old && random.chance(0.4)) {
      parts[name] = keepReferences(old, earlier);
      continue;
    }
    if (!old && random.chance(0.5)) continue;
    parts[name] = randomPart(random, earlier, isChain);
  }
  return parts;
}

/** A resource that an argument referred to can be gone from the program. */
function keepReferences({ start, label, options }: Part, earlier: readonly string[]): Part {
  const isThere = (value: unknown) => typeof value !== "object" || earlier.includes((value as { of: string }).of);
  const { dependsOn = [], ...rest } = options;
  const present = { ...rest, dependsOn: dependsOn.filter((name) => earlier.includes(name)) };
  return { start: isThere(start) ? start : 1, label: isThere(label) ? label : undefined, options: present };
}

function randomPart(random: Random, earlier: readonly string[], isChain: boolean): Part {
  const options: Options = {
    ...(random.chance(0.25) && { deleteBeforeReplace: true }),
    ...(random.chance(0.15) && { retainOnDelete: true }),
    ...(random.chance(0.15) && { ignoreChanges: [random.pick(["label", "start"])] }),
    ...(random.chance(0.15) && { replaceOnChanges: ["label"] }),
    ...(!isChain && earlier.length > 0 && random.chance(0.3) && { dependsOn: [random.pick(earlier)] }),
  };
  const isLinked = earlier.length > 0 && random.chance(0.4);
  const failing = random.chance(0.2) ? random.pick(Object.values(labels)) : undefined;
  return {
    start: isLinked && random.chance(0.5) ? { of: random.pick(earlier) } : random.pick([1, 2]),
    label:
      failing ?? (isLinked ? { of: random.pick(earlier) } : random.pick([{ label: "x" }, { label: "y" }, {}]).label),
    options,
  };
}

function randomCommand(random: Random, known: readonly string[], isChain: boolean): Command {
  const command = random.pick(["up", "up", "up", "up", "preview", "refresh", "destroy"] as const);
  const some = (probability: number) => known.filter(() => random.chance(probability));
  const continueOnError = !isChain || random.chance(0.5);
  const selection = isChain && random.chance(0.3) && known.length > 0 ? randomSelection(random, known) : {};
  const canReplace = isChain && (command === "up" || command === "preview") && random.chance(0.2);
  const replace = canReplace ? some(0.4) : [];
  return {
    command,
    continueOnError: continueOnError && command !== "refresh",
    refresh: command !== "refresh" && random.chance(0.2),
    ...selection,
    ...(replace.length > 0 && { replace }),
  };
}

function randomSelection(random: Random, known: readonly string[]): Pick<Command, "target" | "exclude"> {
  const some = known.filter(() => random.chance(0.6));
  const selected = some.length > 0 ? some : known.slice(0, 1);
  return random.chance(0.5) ? { target: selected } : { exclude: selected };
}

/** In a chain each resource also depends on the one before it. */
const dependsOn = (parts: Readonly<Record<string, Part>>, name: string, isChain: boolean): Options["dependsOn"] => {
  const { dependsOn = [] } = parts[name]?.options ?? {};
  const all = Object.keys(parts);
  return isChain ? all.slice(Math.max(0, all.indexOf(name) - 1), all.indexOf(name)) : dependsOn;
};

function programOf(parts: Readonly<Record<string, Part>>, isChain: boolean): Program {
  const argumentOf = (value: Part["start"] | Part["label"], property: string) =>
    typeof value === "object" ? outputOf(value.of, property) : value;
  const declared = Object.entries(parts).map(([name, { start, label, options }]) => {
    const args = { start: argumentOf(start, "start"), label: argumentOf(label, "secretKey") };
    return [name, { type: "Counter", args, options: { ...options, dependsOn: dependsOn(parts, name, isChain) ?? [] } }];
  });
  return Object.fromEntries(declared);
}

function sourceOf(parts: Readonly<Record<string, Part>>, isChain: boolean): string {
  const textOf = (value: Part["start"] | Part["label"], property: string) =>
    typeof value === "object" ? `${value.of}.${property}` : JSON.stringify(value);
  const lines = Object.entries(parts).map(([name, { start, label, options }]) => {
    const { dependsOn: _, ...rest } = options;
    const others = `[${dependsOn(parts, name, isChain)?.join(", ")}]`;
    const args = `{ start: ${textOf(start, "start")}, label: ${textOf(label, "secretKey")} }`;
    return `const ${name} = new Counter("${name}", ${args}, { ...${JSON.stringify(rest)}, dependsOn: ${others} });`;
  });
  return lines.join("\n");
}
