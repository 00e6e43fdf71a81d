import type { ApiTokenInputs } from "../../../provider/apiToken/lifecycle";
import { overlaps } from "./choices";
import type { Recorded } from "./model";
import type { Stack } from "./stack";
import type { Overlap } from "./world";

/** The service's clock has whole seconds. */
const tolerance = 5_000;

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

/** The program that decides about a token that was replaced: the present one, or the last one that declared its resource. */
function programOf(stack: Stack, one: Recorded): Pick<ApiTokenInputs, "retire" | "rotation"> {
  const planned = stack.planned.get(one.name);
  if (planned !== undefined) return planned;
  const successor = stack.dropped.get(one.name)?.state;
  return successor?.record.predecessors?.some(({ id }) => id === one.id) ? successor : one.state;
}

/** The program's word for a token that was replaced; the recorded fate where a program that is gone said nothing. */
function retireOf(stack: Stack, one: Recorded): unknown {
  const { retire } = programOf(stack, one);
  if (retire !== undefined || stack.planned.has(one.name)) return retire;
  const predecessors = stack.dropped.get(one.name)?.state.record.predecessors;
  return predecessors?.find(({ id }) => id === one.id)?.fate;
}

function isLeftToExpire(stack: Stack, one: Recorded): boolean {
  const overlap = findOverlap(stack, one);
  const isInOverlap = overlap !== undefined && Date.parse(overlap.until) > stack.world.now.getTime();
  return isInOverlap || retireOf(stack, one) === "expire";
}

/** The overlap that a rotation gave a token, if the program still wants it. Without a recorded successor, the rotation failed. */
function findOverlap(stack: Stack, one: Recorded): Overlap | undefined {
  const overlap = stack.world.overlapOf(stack.name, one.id);
  if (overlap === undefined) return undefined;
  const program = programOf(stack, one);
  // A resource that adopts a token in its overlap decides by itself.
  const rotated = stack.known.get(overlap.successor);
  const isRotated = rotated === one.name || (rotated === undefined && stack.vacated?.one === one);
  // With "--replace" nothing reads the record of the successor; without an overlap in a program nothing looks for one.
  const isSeen = stack.compared.has(one.name) || [program, one.state].some((some) => some.rotation?.overlap);
  return isRotated && isSeen && !endsOverlaps(program) ? overlap : undefined;
}

const endsOverlaps = ({ retire, rotation }: Pick<ApiTokenInputs, "retire" | "rotation">): boolean =>
  retire === "revoke" && rotation?.overlap === undefined;

const saysRevoke = (stack: Stack, one: Recorded): boolean =>
  one.state.retire === "revoke" || retireOf(stack, one) === "revoke";

/** Its successor is recorded, or, where it was deleted before that, at least created. */
const hasSuccessor = ({ toDelete, vacated, world }: Stack, one: Recorded): boolean =>
  toDelete.includes(one) || (vacated?.one === one && world.secrets.length > vacated.mintedBefore);

/** Whether a token that was replaced, and whose deletion succeeded, has to be gone. */
export function mustRevoke(stack: Stack, one: Recorded): boolean {
  const { origin } = one.state.record;
  const isUsed = stack.all.some((other) => other !== one && other.id === one.id);
  // With "--replace" only a moved expiry tells of an overlap, and a rotation whose response was lost moved it, too.
  const moved = stack.world.overlapOf(stack.name, one.id);
  if (moved && !stack.compared.has(one.name) && !endsOverlaps(programOf(stack, one))) return false;
  // A token whose overlap is over has expired.
  if (moved && Date.parse(moved.until) <= stack.world.now.getTime()) return false;
  if (stack.profile === "documented" || isUsed || origin === "alleged" || findOverlap(stack, one)) return false;
  const successor = stack.resources.get(one.name);
  const recorded = successor?.state.record.predecessors?.find(({ id }) => id === one.id);
  const retire = retireOf(stack, one);
  if (retire === "revoke") return true;
  if (retire === "expire" || recorded?.fate === "expire" || recorded?.fate === "overlap") return false;
  return origin !== "adopted" ? one.state.retire !== "expire" : recorded !== undefined && stack.compared.has(one.name);
}

/** Whether the replacement of a token did not give it the end that the program declares. */
export function lacksOverlap(stack: Stack, old: Recorded, { rotation }: ApiTokenInputs): boolean {
  const { world, resources } = stack;
  const duration = overlaps[rotation?.overlap as keyof typeof overlaps];
  const { origin } = old.state.record;
  const successor = resources.get(old.name)?.id ?? "";
  const end = Math.min(Date.parse(old.state.expiresAt ?? "9999-12-31T00:00:00Z"), world.now.getTime() + duration);
  const isUsable = (origin === "created" || origin === "adopted") && end > world.now.getTime();
  const isFound = world.live.get(old.id)?.account === world.live.get(successor)?.account;
  if (duration === undefined || !isUsable || !isFound) return false;
  const overlap = world.overlapOf(stack.name, old.id);
  return overlap?.successor !== successor || Math.abs(Date.parse(overlap.until) - end) > tolerance;
}
