import { createHash, randomBytes } from "node:crypto";
import { type Hints, isSecretInput, logicalNameOf } from "../../../framework/identity";
import type { Bag, Plan } from "../../../framework/lifecycle";
import type { ApiTokenInputs } from "./definition";

type Naming = Pick<Plan, "seed" | "autonaming">;

/** Generates a name. Its random suffix proves the token of a create that got no response. */
function generateName(logicalName: string, { seed, autonaming }: Naming): string | undefined {
  if (autonaming !== undefined) return autonaming === "disabled" ? undefined : autonaming.proposedName;
  const suffix = seed?.length ? createHash("sha256").update(seed).digest("hex") : randomBytes(4).toString("hex");
  return `${logicalName}-${suffix.slice(0, 7)}`;
}

/** The logical name that a name was generated from, if it has the form of a generated one. */
export const generatedFrom = (name: string): string | undefined => /^(.*)-[0-9a-f]{7}$/s.exec(name)?.[1];

/** Whether a name was generated for this create, so that it proves whose token it is. A proposed name may prove nothing. */
export const isProof = ({ name, chosenName, key }: Pick<ApiTokenInputs, "name" | "chosenName" | "key">): boolean =>
  chosenName === undefined && generatedFrom(name) === logicalNameOf(key);

/** Whether an alias gave the resource another key than the recorded one. The state of a hand-written provider has none. */
export const isRenamed = ({ key }: Partial<Hints>, inputs: Hints): boolean => key !== undefined && key !== inputs.key;

/** The `name` of a token, and whether the program chose it. A generated name stays in later updates. */
export function resolveName(olds: Bag | undefined, news: Bag, plan: Naming): { name?: unknown; chosenName?: true } {
  const generated = olds?.chosenName === undefined ? olds?.name : undefined;
  // The option `ignoreChanges` copies the earlier name into the new inputs: it is still a generated name. A live token has its own.
  const isGenerated = news.adopt === undefined && (news.name ?? generated) === generated;
  if (isGenerated) return { name: generated ?? generateName(logicalNameOf(String(news.key)), plan) };
  return news.name === undefined ? {} : { name: news.name, chosenName: true };
}

type Described = Pick<ApiTokenInputs, "secretInputs"> & { readonly name?: string };

/** The name of a token for people; a name that was declared as a secret is not shown. */
export const describeName = (token: Described): string =>
  token.name === undefined || isSecretInput(token, "name")
    ? "API token with a secret name"
    : `API token "${token.name}"`;

/** A token for people. */
export const describeToken = (id: string, token: Described): string =>
  token.name === undefined || isSecretInput(token, "name") ? `API token ${id}` : `${describeName(token)} (id ${id})`;
