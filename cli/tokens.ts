import { stackOptions, stacksHelp } from "./auditStacks";
import type { Command } from "./command";
import { adoptTokens } from "./tokens/adopt";
import { listTokens } from "./tokens/list";
import { revokeTokens } from "./tokens/revoke";
import { selectionHelp, selectionOptions } from "./tokens/selection";

const help = `Usage: event-datasets tokens list [options]
       event-datasets tokens adopt [options]
       event-datasets tokens revoke --id <id>… | --from <report> [options]

list     prints live tokens, those that expire first at the top
adopt    prints a Pulumi program in TypeScript that declares live tokens exactly as they are and adopts them: run it once
         with "pulumi up", then remove the adopt lines. Nothing is created, changed or deleted. The secrets cannot be
         read; where you have one, add it as adopt.token
revoke   revokes tokens for good, after it has asked; not one that a stack declares. Needs the profile extended

Which tokens (a token must fit all that are given; list and adopt take all tokens without any):
${selectionHelp}

list:
  --output <format>      table (default), json, ndjson or csv

revoke, where the stacks are that declare tokens (without any: the selected stack of this folder):
${stacksHelp}
  --yes                     does not ask

The connection is set by EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN, whose token needs apiTokens: ["read"], and
["delete"] to revoke. Exit codes: 0 done; 2 not done, or not all of it.

  --help                 prints this`;

const subcommands = { list: listTokens, adopt: adoptTokens, revoke: revokeTokens } as const;

/** Lists live tokens, prints what declares them, and revokes those that nobody declares. */
export const tokens: Command = {
  help,
  argument: "subcommand",
  options: {
    ...selectionOptions,
    ...stackOptions,
    output: { type: "string", default: "table" },
    yes: { type: "boolean", default: false },
  },

  async run(values, io, subcommand = "") {
    if (!Object.hasOwn(subcommands, subcommand)) {
      const names = Object.keys(subcommands).join(", ");
      throw new Error(`the subcommand must be one of ${names}: see "event-datasets tokens --help"`);
    }
    await subcommands[subcommand as keyof typeof subcommands](values, io);
    return 0;
  },
};
