import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { checkShape, type Shape, string } from "./fields";
import { badField } from "./httpError";
import { isObject, type JsonObject } from "./json";
import type { Reply } from "./reply";
import { type Answer, splitTarget } from "./routing";

/**
 * A failure to simulate. By default the request is carried out and its effect is kept, because a client must handle a lost
 * response, not only a lost request.
 */
export type FaultAction =
  /** This answer in place of the real one. The request is carried out only if `carriedOut` says so. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly carriedOut?: boolean;
    }
  /** A 200 with a web page, as from a proxy's login. The request is carried out only if `carriedOut` says so. */
  | { readonly kind: "html"; readonly carriedOut?: boolean }
  /** Sends the client elsewhere. The request is carried out only if `carriedOut` says so; 307 if no status is given. */
  | {
      readonly kind: "redirect";
      readonly location: string;
      readonly status?: number;
      readonly carriedOut?: boolean;
    }
  /** Bytes that are not HTTP. The request is carried out only if `carriedOut` says so. */
  | { readonly kind: "garbage"; readonly carriedOut?: boolean }
  /** A TCP reset as soon as the request's headers are there. It is carried out before only if `carriedOut` says so. */
  | { readonly kind: "reset"; readonly carriedOut?: boolean }
  /** A body of bytes that are not UTF-8, where JSON is announced. */
  | { readonly kind: "garbage-body" }
  /** The answer under another content type. */
  | { readonly kind: "content-type"; readonly type: string }
  /** The answer after so many spaces that it has `bytes` bytes: valid, and larger than anybody should read. */
  | { readonly kind: "huge"; readonly bytes: number }
  /** The connection is closed without an answer. */
  | { readonly kind: "close-before-answer" }
  /** The answer comes late. */
  | { readonly kind: "delay"; readonly ms: number }
  /** The body comes one byte every `ms` milliseconds. */
  | { readonly kind: "drip"; readonly ms: number }
  /** A complete HTTP answer that holds the first half of the JSON. */
  | { readonly kind: "truncate" }
  /** The connection is closed in the middle of the body. */
  | { readonly kind: "cut" };

/** The next `times` matching requests get the action. */
export interface Fault {
  readonly method: string;
  /** Without a query string. A `*` at its end makes it a prefix. */
  readonly path: string;
  /** 1 if not given. */
  readonly times?: number;
  readonly action: FaultAction;
}

/** The faults that are still to happen. */
export class FaultPlan {
  readonly #planned: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#planned.push({ fault, left: fault.times ?? 1 });
  }

  /** Uses up one of the first matching fault. */
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
 * Answers with a fault.
 * @param carryOut does what the request asks for; never rejects because of a request that is refused
 * @param stopped ends every wait
 */
export async function answerWith(
  action: FaultAction,
  reply: Reply,
  carryOut: () => Promise<Answer>,
  stopped: AbortSignal,
): Promise<void> {
  if (isReplacement(action)) {
    if (action.carriedOut) await carryOut();
    return replaceAnswer(action, reply);
  }
  const answer = await carryOut();
  const { status, headers, body, json } = answer;
  const text = json ? Buffer.from(json).toString("utf8") : body === undefined ? "" : JSON.stringify(body);
  const jsonHeadersOf = (bytes: number) => ({
    "content-type": "application/json",
    "content-length": String(Math.max(bytes, Buffer.byteLength(text))),
    ...headers,
  });
  const jsonHeaders = jsonHeadersOf(0);
  const half = text.slice(0, Math.floor(text.length / 2));
  switch (action.kind) {
    case "close-before-answer":
      return reply.close();
    case "delay":
      await sleep(action.ms, undefined, { signal: stopped });
      return reply.send(answer);
    case "truncate":
      return reply.sendText(status, "application/json", half, headers);
    case "content-type":
      return reply.sendText(status, action.type, text, headers);
    case "garbage-body":
      reply.start(status, { ...jsonHeaders, "content-length": String(garbage.length) }).end(garbage);
      return;
    case "huge":
      return await sendPadded(reply.start(status, jsonHeadersOf(action.bytes)), text, action.bytes);
    case "cut":
      reply.start(status, jsonHeaders).write(half, () => reply.close());
      return;
    case "drip": {
      const bytes = Buffer.from(text);
      const response = reply.start(status, jsonHeaders);
      for (let at = 0; at < bytes.length && !reply.gone; at++) {
        response.write(bytes.subarray(at, at + 1));
        await sleep(action.ms, undefined, { signal: stopped });
      }
      response.end();
    }
  }
}

/** A fault that sends something else in place of the answer. */
type Replacement = Extract<FaultAction, { readonly carriedOut?: boolean }>;

const isReplacement = (action: FaultAction): action is Replacement =>
  Object.hasOwn(actionFields[action.kind].fields, "carriedOut");

function replaceAnswer(action: Replacement, reply: Reply): void {
  switch (action.kind) {
    case "reset":
      reply.reset();
      break;
    case "garbage":
      reply.sendBytes(garbage);
      break;
    case "redirect":
      reply.send({ status: action.status ?? 307, headers: { location: action.location } });
      break;
    case "status":
      reply.send({ status: action.status, headers: lowerCase(action.headers), body: action.body });
      break;
    case "html":
      reply.sendText(200, "text/html", "<!doctype html><title>Sign in</title><p>Please sign in.</p>");
      break;
  }
}

/** Neither a line of HTTP nor UTF-8. */
const garbage = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0xfe, 0xc3, 0x28, 0x0a, 0x0d, 0x00, 0x80]);

const paddingPiece = Buffer.alloc(65_536, " ");

/** No faster than the client reads, so that the padding is never in memory as a whole. */
async function sendPadded(response: ServerResponse, text: string, bytes: number): Promise<void> {
  const padding = Math.max(0, bytes - Buffer.byteLength(text));
  for (let sent = 0; sent < padding && !response.destroyed; sent += paddingPiece.length) {
    if (response.write(paddingPiece.subarray(0, Math.min(paddingPiece.length, padding - sent)))) continue;
    await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  response.end(text);
}

/** So that they replace the answer's own ones. */
const lowerCase = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const milliseconds = (value: unknown, field: string): void => whole(value, field, 0, 3_600_000);
const flag = (value: unknown, field: string): void => {
  if (typeof value !== "boolean") throw badField(field, "must be a boolean");
};

const actionFields: Readonly<Record<FaultAction["kind"], Shape>> = {
  status: {
    fields: {
      status: (value, field) => whole(value, field, 200, 599),
      headers: (value, field) => {
        if (!isObject(value)) throw badField(field, "must be an object");
        for (const [name, text] of Object.entries(value))
          string({ pattern: /^[\x20-\x7e]*$/ })(text, `${field}.${name}`);
      },
      body: () => undefined,
      carriedOut: flag,
    },
    required: ["status"],
  },
  html: { fields: { carriedOut: flag } },
  redirect: {
    fields: {
      location: string({ min: 1, pattern: /^[\x21-\x7e]+$/ }),
      status: (value, field) => whole(value, field, 300, 399),
      carriedOut: flag,
    },
    required: ["location"],
  },
  garbage: { fields: { carriedOut: flag } },
  reset: { fields: { carriedOut: flag } },
  "garbage-body": { fields: {} },
  "content-type": { fields: { type: string({ min: 1, pattern: /^[\x20-\x7e]+$/ }) }, required: ["type"] },
  huge: { fields: { bytes: (value, field) => whole(value, field, 0, 10_000_000_000) }, required: ["bytes"] },
  "close-before-answer": { fields: {} },
  delay: { fields: { ms: milliseconds }, required: ["ms"] },
  drip: { fields: { ms: milliseconds }, required: ["ms"] },
  truncate: { fields: {} },
  cut: { fields: {} },
};

/**
 * The fault that a request body describes.
 * @throws HttpError
 */
export function faultOf(body: JsonObject): Fault {
  checkShape(body, {
    fields: {
      method: string({ pattern: /^[A-Z]+$/ }),
      path: string({ pattern: /^\// }),
      times: (value, field) => whole(value, field, 1, 1_000_000),
      action: (value, field) => {
        const { kind, ...rest } = isObject(value) ? value : {};
        const shape = Object.entries(actionFields).find(([name]) => name === kind)?.[1];
        if (!shape) throw badField(`${field}.kind`, `must be one of ${Object.keys(actionFields).join(", ")}`);
        checkShape(rest, shape, field);
      },
    },
    required: ["method", "path", "action"],
  });
  return body as unknown as Fault; // the shape above is that of Fault
}

function whole(value: unknown, field: string, min: number, max: number): void {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max)
    throw badField(field, `must be a whole number from ${min} to ${max}`);
}
