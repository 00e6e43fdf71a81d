import { setTimeout as sleep } from "node:timers/promises";
import { type HandlerResult, type Reply, splitTarget } from "./routing";

/** A failure to simulate. */
export type FaultAction =
  /** This response instead of the real one. The request is carried out only if `carriedOut` is true. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly carriedOut?: boolean;
    }
  /** The request is carried out, and the connection closed without a response. */
  | { readonly kind: "close-before-response" }
  /** The request is carried out, and its response delayed. */
  | { readonly kind: "delay"; readonly ms: number };

/** The next `times` matching requests get the action. */
export interface Fault {
  readonly method: string;
  /** Without a query string. With a trailing `*`, it matches every path that begins with the text before it. */
  readonly path: string;
  /** 1 if not given. */
  readonly times?: number;
  readonly action: FaultAction;
}

/** The faults that are not used up. */
export class FaultPlan {
  readonly #planned: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#planned.push({ fault, left: fault.times ?? 1 });
  }

  /** Takes the first fault that matches the request, and counts it down. */
  take(method: string, target: string): FaultAction | undefined {
    const [path] = splitTarget(target);
    const found = this.#planned.find(({ fault }) => fault.method === method && covers(fault, path));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left === 0) this.#planned.splice(this.#planned.indexOf(found), 1);
    return found.fault.action;
  }
}

const covers = ({ path: pattern }: Fault, path: string): boolean =>
  pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

/**
 * Responds to a request with a fault.
 * @param carryOut carries out the request; does not reject if the service refuses it
 * @param stopped aborts every wait
 */
export async function respondWith(
  action: FaultAction,
  reply: Reply,
  carryOut: () => Promise<HandlerResult>,
  stopped: AbortSignal,
): Promise<void> {
  if (action.kind === "status") {
    if (action.carriedOut) await carryOut();
    const headers = Object.entries(action.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    return reply.send({ status: action.status, headers: Object.fromEntries(headers), body: action.body });
  }
  const result = await carryOut();
  if (action.kind === "close-before-response") return reply.close();
  await sleep(action.ms, undefined, { signal: stopped });
  reply.send(result);
}
