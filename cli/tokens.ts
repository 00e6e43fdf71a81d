import type { Command } from "./command";

/** Each loads when it runs: only `revoke` looks into stacks, with all of the audit. */
const subcommands = {
  list: () => (require("./tokens/list") as typeof import("./tokens/list")).listTokens,
  adopt: () => (require("./tokens/adopt") as typeof import("./tokens/adopt")).adoptTokens,
  revoke: () => (require("./tokens/revoke") as typeof import("./tokens/revoke")).revokeTokens,
} as const;

/** Lists live tokens, prints what declares them, and revokes those that nobody declares. */
export const tokens: Command = {
  async run(values, io, subcommand = "") {
    const run = subcommands[subcommand as keyof typeof subcommands]();
    await run(values, io);
    return 0;
  },
};
