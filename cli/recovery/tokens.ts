import type { StackState } from "../../audit";
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
  const pending = state.pending.map(({ inputs, declaration }): Mend => {
    const left = listed.filter(({ name }) => name === inputs.name);
    return {
      found: `the create of ${visible(declaration.urn)} never ended${describeLeft(inputs.name, left)}`,
      remedy: [
        // Without a way to revoke it, it is left to the audit to name.
        ...(client.can("tokens.delete") ? left : []).map(
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

function describeLeft(name: unknown, left: readonly Token[]): string {
  if (typeof name !== "string") return "";
  if (left.length === 0) return `; no token is named "${visible(name)}"`;
  return `; its token is alive, and nobody has its secret: ${left.map(({ id }) => visible(id)).join(", ")}`;
}
