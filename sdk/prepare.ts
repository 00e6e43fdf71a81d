import { defined } from "../values/defined";
import { isDiscreet } from "../values/discretion";
import { stringifyExact } from "../values/exactJson";
import type { ExchangeRequest } from "./exchange";
import type { FailingCall } from "./failures";
import { type DeadlineKind, deadlineKinds, type OperationName, operations } from "./operations";
import type { Path } from "./path";
import { checkRequest, type Outgoing } from "./requests";
import type { Settings } from "./settings";
import { version } from "./version";

/** The parts of a call from which its request is made. */
export interface Sendable extends Outgoing {
  readonly path: Path;
  /** The path without the names that users choose, for messages about a request that contains secrets. */
  readonly namelessPath?: Path;
  readonly repeatable?: false | undefined;
}

/** A request that passed every check. */
export interface PreparedRequest extends FailingCall, Omit<ExchangeRequest, "signal"> {
  readonly deadline: number;
  /** Whether it changes nothing at the service. */
  readonly reads: boolean;
}

/**
 * Prepares the request of a call.
 * @throws Error for a request that the profile does not have, and for a body that is too large or cannot be written as JSON
 */
export function prepareRequest(
  settings: Settings,
  name: OperationName,
  { path, namelessPath = path, parameters, body, repeatable: own }: Sendable,
): PreparedRequest {
  const { search, ...checked } = checkRequest(settings, name, { body, parameters });
  const { method, maxBytes, deadline: kind, ...operation } = operations[name];
  const repeatable = operation.repeatable && own !== false;
  const deadline = deadlineOf(settings, kind);
  const base = new URL(settings.baseUrl);
  return {
    label: `${method} ${isDiscreet() ? namelessPath : path}`,
    ...checked,
    repeatable,
    reads: "reads" in operation,
    reset: !repeatable,
    deadline,
    kind,
    maxBytes,
    method,
    origin: base.origin,
    path: `${base.pathname.replace(/\/$/, "")}${path}${search && `?${search}`}`,
    headers: makeHeaders(settings, body !== undefined),
    credential: settings.accessToken,
    body: body === undefined ? null : writeBody(name, body),
    silence: repeatable ? Math.ceil(deadline * deadlineKinds[kind].silence) : 0,
  };
}

/** In milliseconds. */
export const deadlineOf = (settings: Settings, kind: DeadlineKind): number =>
  settings[`${kind}Deadline`] ?? deadlineKinds[kind].limit;

const makeHeaders = ({ accessToken, orgId }: Settings, hasBody: boolean): Record<string, string> =>
  defined({
    authorization: `Bearer ${accessToken}`,
    accept: "application/json",
    // If a response cannot be decompressed, the secret of a token is lost.
    "accept-encoding": "identity",
    "user-agent": `pulumi-event-datasets/${version} node/${process.versions.node}`,
    "content-type": hasBody ? "application/json" : undefined,
    // Extended interface, "Errors and limits".
    "x-axiom-org-id": orgId,
  });

/** @throws Error that quotes nothing of the body */
function writeBody(name: OperationName, body: object): string {
  let text: string;
  try {
    text = stringifyExact(body);
  } catch {
    throw new Error(`${name}: the request cannot be written as JSON: it refers to itself or is nested too deeply`);
  }
  const operation = operations[name];
  const maxRequest = "maxRequest" in operation ? operation.maxRequest : 0;
  const size = Buffer.byteLength(text);
  if (size <= maxRequest) return text;
  throw new Error(
    `${name}: the request is ${size} bytes long; at most ${maxRequest} are sent, so that the response can be read`,
  );
}
