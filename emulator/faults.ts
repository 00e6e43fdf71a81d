import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { checkShape, type Shape, string } from "./fields";
import { badField } from "./httpError";
import { isObject, type JsonObject } from "./json";
import type { Reply } from "./reply";
import { type HandlerResult, splitTarget } from "./routing";

/**
 * A failure to simulate. By default the request is carried out and its effect is kept, because a client must handle a lost
 * response, not only a lost request.
 */
export type FaultAction =
  /** This response instead of the real one. The request is carried out only if `carriedOut` is true. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly carriedOut?: boolean;
    }
  /** A 200 with a web page, as from a proxy's login. The request is carried out only if `carriedOut` is true. */
  | { readonly kind: "html"; readonly carriedOut?: boolean }
  /** A redirect, 307 if no status is given. The request is carried out only if `carriedOut` is true. */
  | {
      readonly kind: "redirect";
      readonly location: string;
      readonly status?: number;
      readonly carriedOut?: boolean;
    }
  /** Bytes that are not HTTP. The request is carried out only if `carriedOut` is true. */
  | { readonly kind: "garbage"; readonly carriedOut?: boolean }
  /** A TCP reset after the request's headers. The request is carried out first only if `carriedOut` is true. */
  | { readonly kind: "reset"; readonly carriedOut?: boolean }
  /** A body of bytes that are not UTF-8, where JSON is announced. */
  | { readonly kind: "garbage-body" }
  /** The response with another content type. */
  | { readonly kind: "content-type"; readonly type: string }
  /** The response padded with spaces to `bytes` bytes: valid, but too large to read. */
  | { readonly kind: "huge"; readonly bytes: number }
  /** The connection is closed without a response. */
  | { readonly kind: "close-before-response" }
  /** The response is delayed. */
  | { readonly kind: "delay"; readonly ms: number }
  /** One byte of the body every `ms` milliseconds. */
  | { readonly kind: "drip"; readonly ms: number }
  /** A complete HTTP response that contains the first half of the JSON. */
  | { readonly kind: "truncate" }
  /** The connection is closed in the middle of the body. */
  | { readonly kind: "cut" };

/** The next `times` matching requests get the action. */
export interface Fault {
  readonly method: string;
  /** Without a query string. With a trailing `*` it is a prefix. */
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
  if (isReplacement(action)) {
    if (action.carriedOut) await carryOut();
    return replaceResponse(action, reply);
  }
  const result = await carryOut();
  const { status, headers, body, json } = result;
  const text = json ? Buffer.from(json).toString("utf8") : body === undefined ? "" : JSON.stringify(body);
  const jsonHeadersOf = (bytes: number) => ({
    "content-type": "application/json",
    "content-length": String(Math.max(bytes, Buffer.byteLength(text))),
    ...headers,
  });
  const jsonHeaders = jsonHeadersOf(0);
  const half = text.slice(0, Math.floor(text.length / 2));
  switch (action.kind) {
    case "close-before-response":
      return reply.close();
    case "delay":
      await sleep(action.ms, undefined, { signal: stopped });
      return reply.send(result);
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

/** A fault that replaces the response. */
type Replacement = Extract<FaultAction, { readonly carriedOut?: boolean }>;

const isReplacement = (action: FaultAction): action is Replacement =>
  Object.hasOwn(actionFields[action.kind].fields, "carriedOut");

function replaceResponse(action: Replacement, reply: Reply): void {
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

/** Neither HTTP nor UTF-8. */
const garbage = Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0xfe, 0xc3, 0x28, 0x0a, 0x0d, 0x00, 0x80]);

const paddingPiece = Buffer.alloc(65_536, " ");

/** Writes no faster than the client reads, so that memory never holds all of the padding. */
async function sendPadded(response: ServerResponse, text: string, bytes: number): Promise<void> {
  const padding = Math.max(0, bytes - Buffer.byteLength(text));
  for (let sent = 0; sent < padding && !response.destroyed; sent += paddingPiece.length) {
    if (response.write(paddingPiece.subarray(0, Math.min(paddingPiece.length, padding - sent)))) continue;
    await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  response.end(text);
}

/** In lower case, so that they replace the response's own headers. */
const lowerCase = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const checkMilliseconds = (value: unknown, field: string): void => checkWhole(value, field, 0, 3_600_000);
const checkFlag = (value: unknown, field: string): void => {
  if (typeof value !== "boolean") throw badField(field, "must be a boolean");
};

const actionFields: Readonly<Record<FaultAction["kind"], Shape>> = {
  status: {
    fields: {
      status: (value, field) => checkWhole(value, field, 200, 599),
      headers: (value, field) => {
        if (!isObject(value)) throw badField(field, "must be an object");
        for (const [name, text] of Object.entries(value))
          string({ pattern: /^[\x20-\x7e]*$/ })(text, `${field}.${name}`);
      },
      body: () => undefined,
      carriedOut: checkFlag,
    },
    required: ["status"],
  },
  html: { fields: { carriedOut: checkFlag } },
  redirect: {
    fields: {
      location: string({ min: 1, pattern: /^[\x21-\x7e]+$/ }),
      status: (value, field) => checkWhole(value, field, 300, 399),
      carriedOut: checkFlag,
    },
    required: ["location"],
  },
  garbage: { fields: { carriedOut: checkFlag } },
  reset: { fields: { carriedOut: checkFlag } },
  "garbage-body": { fields: {} },
  "content-type": { fields: { type: string({ min: 1, pattern: /^[\x20-\x7e]+$/ }) }, required: ["type"] },
  huge: { fields: { bytes: (value, field) => checkWhole(value, field, 0, 10_000_000_000) }, required: ["bytes"] },
  "close-before-response": { fields: {} },
  delay: { fields: { ms: checkMilliseconds }, required: ["ms"] },
  drip: { fields: { ms: checkMilliseconds }, required: ["ms"] },
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
      times: (value, field) => checkWhole(value, field, 1, 1_000_000),
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

function checkWhole(value: unknown, field: string, min: number, max: number): void {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max)
    throw badField(field, `must be a whole number from ${min} to ${max}`);
}
