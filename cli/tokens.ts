import type { Command } from "./command";

/** Loaded on demand: only some subcommands need the audit. */
const subcommands = {
  list: () => (require("./tokens/list") as typeof import("./tokens/list")).listTokens,
  adopt: () => (require("./tokens/adopt") as typeof import("./tokens/adopt")).adoptTokens,
  revoke: () => (require("./tokens/revoke") as typeof import("./tokens/revoke")).revokeTokens,
} as const;

/** Lists live tokens, prints a program that adopts them, and revokes undeclared tokens. */
export const tokens: Command = {
  async run(values, io, subcommand = "") {
    const run = subcommands[subcommand as keyof typeof subcommands]();
    await run(values, io);
    return 0;
  },
};
