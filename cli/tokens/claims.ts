import path from "node:path";
import type { MustRead, Policy, StackState, UnreadStack } from "../../audit";
import { standsFor } from "../../audit/coverage";
import { mergeStacks, type Recorded } from "../../audit/holders";
import { nameOf } from "../../audit/identity";
import { backendAt, findBackend, hasOwnBackend } from "../auditBackend";
import { exportAll, parseStateOption, type Reading, readFiles } from "../auditStacks";
import type { Io, ValuesOf } from "../command";
import type { StateFlags } from "../manuals/audit";
import type { backendFlag } from "../manuals/tokens";
import { count, type Line, say } from "../text";

/** The tokens that the stacks track, have replaced or look up. */
export interface Claims extends Recorded {
  /** The reasons why there can be other stacks, which were not read; empty if every stack of the backends was read. */
  readonly doubts: readonly Line[];
  /** The backends and files that the policy requires, but that were not read. */
  readonly missed: readonly Line[];
}

/** The options that say where the claims are. */
type StateValues = ValuesOf<StateFlags & { readonly backend: typeof backendFlag }>;

/** Claims that can be read again. */
export interface ReadClaims {
  readonly claims: Claims;
  /** Lists the stacks again, and exports those that have been updated since then, or are being updated. */
  readonly readAgain: () => Promise<Claims>;
}

/**
 * Reads every stack of the backends, and the files of the options. A stack that cannot be read causes a doubt, not a failure:
 * if a token's own stack proves that the secret is lost, the token can still be revoked.
 * @throws Error for a file that cannot be read
 */
export async function readClaims(
  values: StateValues,
  io: Io,
  { mustRead = {} }: Pick<Policy, "mustRead"> = {},
): Promise<ReadClaims> {
  const own: Line[] = [];
  const urls = values.backend;
  if (urls.length === 0 && (await hasOwnBackend()))
    own.push(
      say`this project names its own backend, so other projects may use other backends: name each with --backend`,
    );
  const finders = urls.length === 0 ? [() => findBackend(io)] : urls.map((url) => async () => backendAt(url, io.env));
  const readings = finders.map((): readonly Reading[] => []);
  const read = async (out: Io): Promise<Claims> => {
    const files = readFiles(values, out);
    const states: StackState[] = [];
    const unread: UnreadStack[] = [];
    const doubts = [...own];
    const addresses: string[] = []; // of the backends that were read as a whole
    for (const [at, find] of finders.entries()) {
      try {
        const backend = await find();
        const exported = await exportAll(backend, out, readings[at]);
        readings[at] = exported.readings;
        if (withoutFile(exported.unread, files).length === 0) addresses.push(backend.address);
        out.warn(say`read ${count(exported.stacks.length, "stack")} of ${backend.address}`);
        states.push(...exported.stacks);
        unread.push(...exported.unread);
      } catch (failure) {
        doubts.push(say`${(failure as Error).message}: name the backend with --backend, or a state with --state`);
      }
    }
    const claims = { ...mergeClaims(states, unread, files, doubts), missed: findMissed(mustRead, addresses, values) };
    for (const line of [...claims.doubts, ...claims.missed]) out.warn(line);
    return claims;
  };
  return { claims: await read(io), readAgain: () => read({ ...io, warn: () => undefined }) };
}

/** Without them, nothing is revoked. */
function findMissed(
  { backends = [], states = [] }: MustRead,
  addresses: readonly string[],
  values: StateValues,
): Line[] {
  const read = new Set([...values.state, ...values["terraform-state"]].map((text) => fileOf(text)));
  return [
    ...backends
      .filter((address) => !addresses.includes(backendAt(address, {}).address))
      .map(
        (address) => say`the policy requires all stacks of the backend ${address} to be read: add --backend ${address}`,
      ),
    ...states
      .filter((file) => !read.has(path.resolve(file)))
      .map((file) => say`the policy requires the file ${file} to be read: add --state or --terraform-state ${file}`),
  ];
}

const fileOf = (option: string): string => path.resolve(parseStateOption(option).file);

/** A file takes the place of a stack that could not be read. If both were read, both count. */
export function mergeClaims(
  read: readonly StackState[],
  unread: readonly UnreadStack[],
  files: readonly StackState[],
  doubts: readonly Line[],
): Claims {
  const more = withoutFile(unread, files).map(
    ({ identity, reason }) => say`${nameOf(identity)} could not be read: ${reason}`,
  );
  return { ...mergeStacks([...read, ...files]), doubts: [...doubts, ...more], missed: [] };
}

const withoutFile = (unread: readonly UnreadStack[], files: readonly StackState[]): UnreadStack[] =>
  unread.filter((one) => !files.some((file) => standsFor(file, one)));
