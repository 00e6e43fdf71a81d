import { type Flag, type Manual, rowFormatFlag } from "../manual";
import { stateFlags, whoFlag } from "./audit";

const idFlag = { value: "id", multiple: true, help: "the token with this id; repeatable" } as const satisfies Flag;

const nameFlag = {
  value: "pattern",
  help: "tokens with this name; ci-* stands for all names that begin with ci-",
} as const satisfies Flag;

export const backendFlag = {
  value: "url",
  multiple: true,
  help: "read the stacks of this backend; repeatable (default: the backend that the Pulumi CLI uses in this folder)",
} as const satisfies Flag;

export const listTokens = {
  summary: "list live tokens, ordered by expiry",
  usage: "[options]",
  text: "Prints the live tokens that have not expired.",
  flags: {
    name: nameFlag,
    "expiring-within": {
      value: "time",
      isDuration: true,
      help: "tokens that expire within this time, such as 14d or 36h",
    },
    output: rowFormatFlag,
  },
  examples: [{ what: "tokens that expire soon", line: "tokens list --expiring-within 14d" }],
  exitCodes: "Exit codes: 0 success; 2 failure.",
} as const satisfies Manual;

const policyFlag = {
  value: "file",
  help: "the policy: a token that an exception names counts as in use (default: the audit's policy)",
} as const satisfies Flag;

export const showToken = {
  summary: "show who declares a token, and who uses it",
  usage: "<id> [options]",
  text: 'Prints the capabilities of a token, where it is declared, replaced, borrowed or accepted, and whether "tokens revoke" would revoke it. It reads every stack of the backend, and the policy of the audit. Even if nothing is found, somebody may be using the token; the command lists what it did not read.',
  argument: { name: "id" },
  flags: {
    backend: backendFlag,
    ...stateFlags,
    policy: policyFlag,
    who: whoFlag,
  },
  examples: [
    { what: "a token that an audit found", line: "tokens show 0a1b2c" },
    { what: "and who made it", line: "tokens show 0a1b2c --who" },
  ],
  exitCodes: "Exit codes: 0 the token is live, 1 it is not, 2 failure.",
} as const satisfies Manual;

export const adoptTokens = {
  summary: "generate a program that adopts live tokens",
  usage: "[options]",
  text: 'Prints a Pulumi program in TypeScript that declares live tokens exactly as they are and adopts them. Run the program once with "pulumi up", then remove the adopt lines. Nothing is created, changed or deleted. Secrets cannot be read: if you have the secret of a token, add it as adopt.token. Without --id or --name, it prints all tokens that are valid. It leaves out the tokens that a stack of the backend declares or has replaced, and tokens that the service sent in an unknown form.',
  flags: { id: idFlag, name: nameFlag, backend: backendFlag, ...stateFlags },
  examples: [{ what: "the tokens that no stack declares", line: "tokens adopt > adopted.ts" }],
  exitCodes: "Exit codes: 0 success; 2 failure.",
} as const satisfies Manual;

export const findTokens = {
  summary: "find the declaration of a leaked secret",
  usage: "[options] < <secret>",
  text: "Reads the secret of a token from standard input, and searches every stack of the backend for it. For each resource that has the secret, the command prints the stack, the URN, the id and the name. Resources of other types whose inputs or outputs contain the secret are printed too. Other backends and Terraform states are not searched. The Pulumi CLI decrypts the states, so it needs the passphrase of each stack, or a login to the service that encrypts its secrets. The secret is not printed or stored anywhere.",
  flags: { backend: backendFlag },
  examples: [{ what: "a secret in a variable", before: 'printf %s "$leaked" | ', line: "tokens find" }],
  exitCodes: "Exit codes: 0 found, 1 no stack has it, 2 not found, but not every stack could be read.",
} as const satisfies Manual;

export const revokeTokens = {
  summary: "revoke tokens that nobody uses",
  usage: "--id <id>… [options]",
  text: 'Permanently revokes tokens, after confirmation. It reads every stack of the backend first. Without --force it revokes a token only if there is proof that nobody has its secret: the state of a stack that is not being updated has an unfinished create with the generated name of the token. For every other token it lists the reasons why the token may be in use, and needs --force. It never revokes a token that a stack or a Terraform state declares, whatever the provider. After you confirm, it checks the stacks for changes, and revokes nothing if a change affects one of the tokens. Needs the profile extended, and an access token with apiTokens: ["read", "delete"].',
  flags: {
    id: idFlag,
    backend: backendFlag,
    ...stateFlags,
    policy: policyFlag,
    "dry-run": { help: "only print whether each token can be revoked, and if not, why" },
    yes: { short: "y", help: "revoke without confirmation" },
    force: { help: "also revoke tokens that may be in use, but never tokens that a stack declares" },
  },
  examples: [
    { what: "whether a token can be revoked", line: "tokens revoke --id 0a1b2c --dry-run" },
    { what: "a token that nobody uses", line: "tokens revoke --id 0a1b2c --force" },
  ],
  exitCodes:
    "Exit codes: 0 all revoked; 2 failure, even if only some tokens failed. With --dry-run: 0 all can be revoked without --force, 1 not all, 2 failure.",
} as const satisfies Manual;
