import type { Token } from "../../sdk";
import type { Io, Values } from "../command";
import { connect } from "../connection";
import { count } from "../counts";
import { type Line, say } from "../text";
import { printProgram } from "../tokenProgram";
import type { Claims } from "./declared";
import type { AuditReport } from "./report";
import { reportOf, selectLive } from "./selection";

/**
 * Prints a program that declares live tokens and adopts them. Declared tokens are left out, because two stacks would manage them,
 * replaced tokens, because their consumers have the secret of the successor, and tokens that could not be read completely.
 * @throws Error if no token is left
 */
export async function adoptTokens(values: Values, io: Io): Promise<void> {
  const { print, warn } = io;
  await using client = connect(io);
  const report = await reportOf(client, values);
  const claims = await claimsOf(values, report, io);
  const selected = await selectLive(client, values, report, io);
  if (selected.length === 0) throw new Error(`no live token on ${client.baseUrl} matches`);
  const wanted = selected.filter((token) => {
    const obstacle = (claims && describeClaim(token.id, claims)) ?? describeOdd(token);
    if (obstacle) warn(say`left out: ${token.id}, which ${obstacle}`);
    return !obstacle;
  });
  if (wanted.length === 0) throw new Error("nothing to adopt: every one of these tokens was left out");
  print(printProgram(wanted));
  warn(say`${count(wanted.length, "token")} printed; adopt with "pulumi up", then remove the adopt lines`);
}

/** Describes the stack that declares or has replaced a token; undefined: none. */
function describeClaim(id: string, { ids, retired }: Claims): Line | undefined {
  const declared = ids.get(id)?.declaration;
  if (declared) return say`${declared.stack} declares (${declared.urn})`;
  const successor = retired.get(id)?.successor;
  return successor && say`${successor.id} of ${successor.declaration.stack} replaced (${successor.declaration.urn})`;
}

/** Describes the fields that no program can declare as they are; undefined: none. */
const describeOdd = ({ odd }: Token): Line | undefined =>
  odd && say`has fields that cannot be read, so no program can declare them: ${Object.keys(odd).join(", ")}`;

/** Declarations of stacks; undefined, with a warning, if no stacks are named or they cannot be read. */
async function claimsOf(values: Values, report: AuditReport | undefined, io: Io): Promise<Claims | undefined> {
  // With all of the audit: only where it is needed.
  const { namesStacks } = require("../auditStacks") as typeof import("../auditStacks");
  if (!report && !namesStacks(values)) {
    io.warn(say`no stack was read: a token that a stack declares is printed too (give --all-stacks to leave it out)`);
    return undefined;
  }
  const { readClaims } = require("./declared") as typeof import("./declared");
  if (namesStacks(values)) return readClaims(values, report, io);
  return readClaims(values, report, io).catch((failure: Error) => {
    io.warn(say`${failure.message}: a token that a stack declares since the audit is printed too`);
    return undefined;
  });
}
