import { connectionNote, type Manual } from "../manual";
import { coverageFlags } from "./audit";
import { rowFormats } from "./shared";

export const tokens = {
  summary: "list live tokens, generate a program that adopts them, revoke them",
  usage: ["list [options]", "adopt [options]", "revoke --id <id>… | --from <report> [options]"],
  text: [
    "list prints live tokens, ordered by expiry.",
    'adopt prints a Pulumi program in TypeScript that declares live tokens exactly as they are and adopts them. Run the program once with "pulumi up", then remove the adopt lines. Nothing is created, changed or deleted. Secrets cannot be read: if you have the secret of a token, add it as adopt.token. Tokens that one of the named stacks declares or has replaced are left out, and tokens that the service sent in an unknown form.',
    "revoke permanently revokes tokens, after confirmation. It refuses tokens that a stack declares, and without --force also tokens that a program looks up. Needs the profile extended.",
  ],
  argument: { name: "subcommand", values: ["list", "adopt", "revoke"] },
  groups: [
    {
      title: "Which tokens (tokens that match all of these options; without any, list and adopt take all tokens)",
      flags: {
        id: { value: "id", multiple: true, help: "the token with this id; repeatable" },
        from: {
          value: "report",
          names: "file",
          help: 'the undeclared and orphaned tokens of a report of "pulumi-event-datasets audit --output json=<report>"',
        },
        name: { value: "name", help: "tokens with exactly this name" },
        "name-prefix": { value: "text", help: "tokens whose name begins with this text" },
        capability: {
          value: "c",
          help: "tokens that hold this capability, such as apiTokens:create, rbac or web/query:read",
        },
        "expiring-within": { value: "time", help: "tokens that expire within this time, such as 14d or 36h" },
        "without-expiry": { help: "tokens that never expire" },
        expired: { help: "include expired tokens" },
      },
    },
    {
      title: "list",
      flags: { output: { value: "format", preset: "table", values: rowFormats, help: rowFormats.join(", ") } },
    },
    {
      title:
        "revoke and adopt: the stacks that declare tokens (default: those of --from; for revoke, the selected stack)",
      flags: {
        ...coverageFlags,
        yes: { help: "revoke without confirmation" },
        force: { help: "also revoke tokens that a program looks up with ApiToken.get" },
      },
    },
  ],
  examples: [
    { what: "tokens that expire soon", line: "tokens list --expiring-within 14d" },
    {
      what: "a program that adopts the tokens that an audit found",
      line: "tokens adopt --from audit.json > adopted.ts",
    },
    { what: "revoke the tokens that no stack declares", line: "tokens revoke --from audit.json" },
  ],
  notes: [
    connectionNote,
    'The token needs apiTokens: ["read"], and ["delete"] to revoke. Exit codes: 0 success; 2 failure, even if only some tokens failed.',
  ],
} as const satisfies Manual;
