import { defined } from "../values/defined";
import type { DeclaredToken, StackState } from "./declared";
import { expectedOf } from "./expected";
import type { Declaration, Found } from "./findings";
import { stackOfUrn } from "./resource";

/** A resource of another type that manages a token. */
export interface Owner {
  readonly declaration: Declaration;
  readonly type: string;
}

/** The resources of other types, by their ids. */
export function mergeOthers(stacks: readonly StackState[]): ReadonlyMap<string, readonly Owner[]> {
  const others = new Map<string, Owner[]>();
  for (const { source, others: resources } of stacks)
    for (const { id, type, urn, token } of resources) {
      const declaration = token?.declaration ?? { stack: stackOfUrn(urn) ?? "terraform", urn, source };
      const known = others.get(id);
      if (known) known.push({ declaration, type });
      else others.set(id, [{ declaration, type }]);
    }
  return others;
}

/** The findings for tokens that several resources manage: one of them can revoke the token of the others. */
export function* findShared(
  { tokens, others }: { tokens: readonly DeclaredToken[]; others: ReadonlyMap<string, readonly Owner[]> },
  liveName: (id: string) => string | undefined,
): Generator<Found> {
  const ours = Map.groupBy(
    tokens.filter(({ unknownMembers }) => unknownMembers === undefined),
    ({ id }) => id,
  );
  for (const id of new Set([...ours.keys(), ...[...others.keys()].filter((id) => liveName(id) !== undefined)])) {
    const group = ours.get(id) ?? [];
    const foreign = others.get(id) ?? [];
    // While ours borrows the token, the other tool is its one owner.
    const owners = group.filter(({ inputs }) => foreign.length === 0 || (inputs.adopt ?? undefined) === undefined);
    const [first, ...rest] = [
      ...owners.map(({ declaration }) => declaration),
      ...foreign.map(({ declaration }) => declaration),
    ];
    if (first === undefined) continue;
    const name = liveName(id) ?? group.map(nameOf).find((one) => one !== undefined);
    const words = name === undefined ? "An API token" : `API token "${name}"`;
    const about = { token: { id, ...defined({ name }) }, declared: first };
    if (rest.length > 0) {
      const urns = rest.map(({ stack, urn }) => `${urn} (${stack})`).join(", ");
      const message = `${words} (${id}) is also declared by ${urns}: each of these resources can revoke it`;
      yield { rule: "shared", message, ...about, detail: urns };
    } else if (foreign[0] && liveName(id) !== undefined) {
      const { type = "", declaration } = foreign[0];
      const until = group.length > 0 ? ", and ours borrows it (adopt) until that resource is gone" : "";
      yield {
        rule: "foreign",
        message: `${words} (${id}) is managed by ${declaration.urn} (${type}, in ${declaration.source})${until}`,
        ...about,
        detail: type,
      };
    }
  }
}

/** Undefined if the name is encrypted. */
export function nameOf(token: DeclaredToken): string | undefined {
  const { name } = expectedOf(token).declared;
  return typeof name === "string" ? name : undefined;
}
