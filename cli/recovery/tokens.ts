import type { PendingCreate, StackState } from "../../audit";
import { type EventDatasets, isStatus, type Token } from "../../sdk";
import { visible } from "../reports/text";
import { quoted } from "./backend";
import type { Mend } from "./mend";

/**
 * What an interruption leaves of tokens: creates whose answer nobody received, and tokens that are recorded but gone.
 *
 * @throws ApiError if the service cannot tell
 */
export async function inspectTokens(
  client: EventDatasets,
  state: StackState,
  stack: string | undefined,
): Promise<Mend[]> {
  const listed = await client.tokens.list();
  const option = stack === undefined ? "" : ` --stack ${quoted(stack)}`;
  const tracked = new Set(state.tokens.map(({ id }) => id));
  const pending = state.pending.map((create): Mend => {
    const { inputs, declaration, isNameOwn, isAdoption } = create;
    const left = isAdoption ? [] : listed.filter(({ id, name }) => name === inputs.name && !tracked.has(id));
    return {
      found: `the create of ${visible(declaration.urn)} never ended${describeLeft(create, left)}`,
      ...(left.length > 0 && !isNameOwn
        ? { note: "another stack may have made it: revoke it only once you know that nobody uses it" }
        : {}),
      remedy: [
        // Without a way to revoke it, it is left to the audit to name.
        ...(client.can("tokens.delete") && isNameOwn ? left : []).map(
          ({ id }) => `event-datasets tokens revoke --id ${quoted(id)}${option}`,
        ),
        `pulumi refresh --yes --clear-pending-creates${option}`,
      ].join(" && "),
    };
  });
  const gone: Mend[] = [];
  for (const { id, declaration } of state.tokens) {
    if (listed.some((token) => token.id === id)) continue;
    const found = await client.tokens.get(id).then(
      () => undefined,
      (failure) => {
        if (!isStatus(failure, 404)) throw failure;
        return `${visible(declaration.urn)} is recorded with id ${visible(id)}, which the service does not have`;
      },
    );
    if (!found) continue;
    const note = "with the credential of the account that it was made in";
    gone.push({ found, note, remedy: `pulumi refresh --yes${option}` });
  }
  return [...pending, ...gone];
}

function describeLeft({ inputs: { name }, isNameOwn, isAdoption }: PendingCreate, left: readonly Token[]): string {
  if (isAdoption) return "; it was to adopt a token, and made none";
  if (typeof name !== "string") return "";
  if (left.length === 0) return `; no token that this stack does not have is named "${visible(name)}"`;
  const ids = left.map(({ id }) => visible(id)).join(", ");
  if (isNameOwn) return `; its token is alive, and nobody has its secret: ${ids}`;
  return `; it may have made a live token of its name, which this stack does not have: ${ids}`;
}
