import type { Command } from "./command";
import { adoptTokens } from "./tokens/adopt";
import { listTokens } from "./tokens/list";
import { revokeTokens } from "./tokens/revoke";

const subcommands = { list: listTokens, adopt: adoptTokens, revoke: revokeTokens } as const;

/** Lists live tokens, prints what declares them, and revokes those that nobody declares. */
export const tokens: Command = {
  async run(values, io, subcommand = "") {
    await subcommands[subcommand as keyof typeof subcommands](values, io);
    return 0;
  },
};
