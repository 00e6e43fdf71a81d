import { selectTokens, type TokenFilter } from "../sdk";
import { type Command, textOf, type Values } from "./command";
import { connect } from "./connection";
import { printProgram } from "./tokenProgram";

const help = `Usage: event-datasets tokens adopt [options]

Prints a Pulumi program in TypeScript that declares live tokens exactly as they are and adopts them: run it once with
"pulumi up", then remove the adopt lines. Nothing is created, changed or deleted. The secrets cannot be read; where you
have one, add it as adopt.token.

The connection comes from EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN, whose token needs apiTokens: ["read"].

Options (a token must fit all that are given; without any, all tokens are printed):
  --id <id>              the token with this id
  --name <name>          tokens of exactly this name
  --name-regex <regex>   tokens whose name matches
  --capability <c>       tokens that hold it: apiTokens:create, rbac, web/query:read
  --without-expiry       tokens that never expire
  --expired              expired tokens too; they are left out otherwise
  --help                 prints this`;

/** Prints what declares live tokens. */
export const tokens: Command = {
  help,
  argument: "subcommand",
  options: {
    id: { type: "string" },
    name: { type: "string" },
    "name-regex": { type: "string" },
    capability: { type: "string" },
    "without-expiry": { type: "boolean" },
    expired: { type: "boolean", default: false },
  },

  async run(values, { print, warn, env }, subcommand) {
    if (subcommand !== "adopt") throw new Error('the subcommand must be adopt: see "event-datasets tokens --help"');
    await using client = connect(env);
    const id = textOf(values, "id");
    const live = selectTokens(await client.tokens.list(), filterOf(values), new Date());
    const wanted = id === undefined ? live : live.filter((token) => token.id === id);
    if (wanted.length === 0) throw new Error(`no live token on ${client.baseUrl} fits`);
    print(printProgram(wanted));
    warn(
      `${wanted.length} of ${live.length} tokens that fit printed; adopt them with "pulumi up", then remove the adopt lines`,
    );
    return 0;
  },
};

const filterOf = (values: Values): TokenFilter => ({
  name: textOf(values, "name"),
  nameRegex: textOf(values, "name-regex"),
  capability: textOf(values, "capability"),
  ...(values["without-expiry"] === true ? { withoutExpiry: true } : {}),
  ...(values.expired === true ? {} : { expired: false }),
});
