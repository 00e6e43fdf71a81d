import type { Recorded } from "./model";
import type { Stack } from "./stack";

/**
 * Whether a stack may revoke a token: an attempt of its own create that it undoes, or a token that it has recorded and that no
 * declared resource of it uses. One that was adopted only if `retire` says so, or its own successor took its place. Never the
 * credential in use.
 */
export function mayRevoke(stack: Stack, id: string): boolean {
  const token = stack.world.live.get(id);
  if (token?.secret === stack.credential || stack.uses(id)) return false;
  const isOwnAttempt = token?.by === stack.name && stack.generated.has(token.name);
  if (isOwnAttempt && !stack.known.has(id)) return !stack.pending.includes(token.name);
  const vacated = stack.vacated?.one.id === id ? [stack.vacated.one] : [];
  return [...stack.all, ...vacated].some((one) => one.id === id && mayRetire(stack, one, isOwnAttempt));
}

function mayRetire(stack: Stack, one: Recorded, isOwnAttempt: boolean): boolean {
  const { origin } = one.state.record;
  if (!isGoing(stack, one) || isLeftToExpire(stack, one)) return false;
  if (origin === "alleged") return isOwnAttempt;
  return origin !== "adopted" || saysRevoke(stack, one) || hasSuccessor(stack, one);
}

/** The engine deletes it, or the create that follows its deletion finishes that. */
const isGoing = (stack: Stack, one: Recorded): boolean => one === stack.going || one === stack.vacated?.one;

/** The program's present word for a token that was replaced; for one that left the program, that of the last program. */
function retireOf(stack: Stack, one: Recorded): unknown {
  const planned = stack.planned.get(one.name);
  if (planned !== undefined) return planned.retire;
  const successor = stack.dropped.get(one.name);
  const recorded = successor?.state.record.predecessors?.find(({ id }) => id === one.id);
  return recorded === undefined ? one.state.retire : (successor?.state.retire ?? recorded.fate);
}

const isLeftToExpire = (stack: Stack, one: Recorded): boolean => retireOf(stack, one) === "expire";

const saysRevoke = (stack: Stack, one: Recorded): boolean =>
  one.state.retire === "revoke" || retireOf(stack, one) === "revoke";

/** Its successor is recorded, or, where it was deleted before that, at least created. */
const hasSuccessor = ({ toDelete, vacated, world }: Stack, one: Recorded): boolean =>
  toDelete.includes(one) || (vacated?.one === one && world.secrets.length > vacated.mintedBefore);

/** Whether a token that was replaced, and whose deletion succeeded, has to be gone. */
export function mustRevoke(stack: Stack, one: Recorded): boolean {
  const { origin } = one.state.record;
  const isUsed = stack.all.some((other) => other !== one && other.id === one.id);
  if (stack.profile === "documented" || isUsed || origin === "alleged") return false;
  const successor = stack.resources.get(one.name);
  const recorded = successor?.state.record.predecessors?.find(({ id }) => id === one.id);
  const retire = retireOf(stack, one);
  if (retire === "revoke") return true;
  if (retire === "expire" || recorded?.fate === "expire") return false;
  return origin !== "adopted" ? one.state.retire !== "expire" : recorded !== undefined && stack.compared.has(one.name);
}
