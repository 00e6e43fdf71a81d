import { connectionNote, type Manual } from "../manual";
import { coverageFlags } from "./audit";
import { rowFormats } from "./shared";

export const tokens = {
  summary: "list the live tokens, print what declares them, revoke them",
  usage: ["list [options]", "adopt [options]", "revoke --id <id>… | --from <report> [options]"],
  text: [
    "list prints live tokens, those that expire first at the top.",
    'adopt prints a Pulumi program in TypeScript that declares live tokens exactly as they are and adopts them: run it once with "pulumi up", then remove the adopt lines. Nothing is created, changed or deleted. The secrets cannot be read; where you have one, add it as adopt.token. A token that one of the named stacks declares is left out.',
    "revoke revokes tokens for good, after it has asked; not one that a stack declares, and one that a program looks up only with --force. Needs the profile extended.",
  ],
  argument: { name: "subcommand", values: ["list", "adopt", "revoke"] },
  groups: [
    {
      title: "Which tokens (a token must fit all that are given; list and adopt take all tokens without any)",
      flags: {
        id: { value: "id", multiple: true, help: "the token with this id; repeatable" },
        from: {
          value: "report",
          names: "file",
          help: 'the undeclared and orphaned tokens of a report of "event-datasets audit --output json=<report>"',
        },
        name: { value: "name", help: "tokens of exactly this name" },
        "name-regex": { value: "regex", help: "tokens whose name matches" },
        capability: { value: "c", help: "tokens that hold it: apiTokens:create, rbac, web/query:read" },
        "expiring-within": { value: "time", help: "tokens that expire within 14d, 36h, …" },
        "without-expiry": { help: "tokens that never expire" },
        expired: { help: "expired tokens too; they are left out otherwise" },
      },
    },
    {
      title: "list",
      flags: { output: { value: "format", preset: "table", values: rowFormats, help: rowFormats.join(", ") } },
    },
    {
      title:
        "revoke and adopt, the stacks that declare tokens (without any: those of --from; revoke: the selected stack)",
      flags: {
        ...coverageFlags,
        yes: { help: "revoke does not ask" },
        force: { help: "revoke a token too that a program looks up with ApiToken.get" },
      },
    },
  ],
  examples: [
    { what: "what expires soon", line: "tokens list --expiring-within 14d" },
    { what: "the program that takes over what an audit found", line: "tokens adopt --from audit.json > adopted.ts" },
    { what: "revoke what no stack declares", line: "tokens revoke --from audit.json" },
  ],
  notes: [
    connectionNote,
    'The token needs apiTokens: ["read"], and ["delete"] to revoke. Exit codes: 0 done; 2 not done, or not all of it.',
  ],
} as const satisfies Manual;
