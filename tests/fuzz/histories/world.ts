import { defined } from "../../../values/defined";
import { type ScriptedService, startService } from "../../support/service";
import { dateHeaders, type ShownClock } from "./clock";

/** A token as the model of the service keeps it. */
export interface Token {
  readonly id: string;
  readonly account: string;
  readonly secret: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isLive: boolean;
  readonly created: number;
  /** The newest token that replaced it with an overlap. */
  readonly successor?: string;
}

/** When the process that sends requests is killed. */
export interface Death {
  /** So many requests get their responses before. */
  readonly after: number;
  /** The request was never sent; its response is lost; or its response arrives, and nothing of it is recorded. */
  readonly moment: "before" | "unanswered" | "answered";
  /** Only such a request counts; undefined: any does. */
  readonly method?: "DELETE" | undefined;
}

/** The faults of a request: `before` the service carries it out, or `after`. */
export const faults = [
  "reset before",
  "reset after",
  "error before",
  "error after",
  "page before",
  "page after",
  "too many",
  "cut after",
  "late list",
  "partial list",
] as const;

export type Fault = (typeof faults)[number] | "none";

export interface Served {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  /** Only half of the body arrives. */
  readonly isCut?: boolean;
}

/** Judges what arrives at the service. */
export interface Watcher {
  /** A create that the service did not refuse for sure. */
  create(account: string, body: Readonly<Record<string, unknown>>): void;
  revoke(token: Token): void;
}

/** How long a list can lack a new token, in milliseconds. */
const settling = 60_000;

interface Request {
  readonly by: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  readonly body: string;
}

/** The credentials that exist from the start, with their accounts. */
const roots: Readonly<Record<string, string>> = {
  "xaat-credential-a1": "A",
  "xaat-credential-a2": "A",
  "xaat-credential-b1": "B",
};

/** A credential of an account; `isRenewed`: the newest. */
export const rootOf = (account: string, isRenewed: boolean): string =>
  Object.keys(roots)
    .filter((root) => roots[root] === account)
    .at(isRenewed ? -1 : 0) as string;

/** A model of the service for one history. */
export class World {
  /** Every token that was ever minted. */
  readonly tokens = new Map<string, Token>();
  readonly violations: string[] = [];
  readonly watchers = new Map<string, Watcher>();
  /** Decides each request's fault. */
  nextFault: () => Fault = () => "none";
  /** Requests of a process that is dead reach nobody. */
  isCutOff = false;
  /** The time that the service states. */
  clock: ShownClock = { offset: 0 };
  #death: Death | undefined;
  #now = Date.parse("2026-11-21T12:00:00Z");
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  get now(): Date {
    return new Date(this.#now);
  }

  passTime(milliseconds: number): void {
    this.#now += milliseconds;
  }

  get live(): Token[] {
    return [...this.tokens.values()].filter(({ isLive }) => isLive);
  }

  isLive(id: string): boolean {
    return this.tokens.get(id)?.isLive === true;
  }

  /** A process begins that ends at some request; undefined: it comes to its end. */
  begin(death?: Death): void {
    this.isCutOff = false;
    this.#death = death;
  }

  mint(account: string, fields: Token["fields"]): Token {
    const id = `t${this.tokens.size + 1}`;
    const secret = `xaat-${this.#seed.toString(16)}-${id}-canary`;
    const token = { id, account, secret, fields, isLive: true, created: this.#now };
    this.tokens.set(id, token);
    return token;
  }

  change(id: string, changed: Partial<Token>): void {
    const token = this.tokens.get(id);
    if (token) this.tokens.set(id, { ...token, ...changed });
  }

  expiryOf({ fields: { expiresAt } }: Token): number {
    return typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
  }

  /** The account of a credential that is valid. */
  accountOf(credential: string): string | undefined {
    const token = this.live.find((one) => one.secret === credential && this.expiryOf(one) > this.#now);
    return roots[credential] ?? token?.account;
  }

  /** @returns undefined: the connection ends without a response */
  serve(request: Request): Served | undefined {
    if (this.isCutOff) return undefined;
    const death = this.#death;
    if (!death || (death.method ?? request.method) !== request.method) return this.#meetFault(request);
    this.#death = { ...death, after: death.after - 1 };
    if (death.after > 0) return this.#meetFault(request);
    this.isCutOff = true;
    const served = death.moment === "before" ? undefined : this.#meetFault(request);
    return death.moment === "answered" ? served : undefined;
  }

  #meetFault(request: Request): Served | undefined {
    const fault = this.nextFault();
    if (fault === "too many") return json(429, {});
    const account = this.accountOf(request.credential);
    const isLost = fault.endsWith("before");
    if (isLost && request.method === "POST") this.#announce(request, account);
    if (isLost) return spoil(fault, undefined);
    if (account === undefined) return json(401, {});
    const served = this.#carryOut(request, account, fault);
    return fault === "none" || fault.endsWith("list") ? served : spoil(fault, served);
  }

  #announce({ by, body }: Request, account = ""): void {
    this.watchers.get(by)?.create(account, JSON.parse(body));
  }

  /** A list can be late, and lack tokens whatever their age. */
  #isHidden(fault: Fault, { id, created }: Token): boolean {
    if (fault === "late list") return created >= this.#now - settling;
    return fault === "partial list" && (Number(id.slice(1)) + this.#seed) % 2 === 0;
  }

  #carryOut(request: Request, account: string, fault: Fault): Served {
    const { by, method, path, body } = request;
    const own = this.live.filter((token) => token.account === account);
    const id = path.split("/")[3];
    const token = own.find((one) => one.id === id);
    if (id === undefined && method === "GET") {
      return json(200, own.filter((one) => !this.#isHidden(fault, one)).map(withoutSecret));
    }
    if (id !== undefined && !token) return json(404, {});
    if (method === "POST") {
      this.#announce(request, account);
      const { newToken, newTokenExpiresAt, existingTokenExpiresAt: expiresAt, ...spec } = JSON.parse(body);
      const minted = this.mint(account, newToken ?? spec);
      if (token) this.change(token.id, { fields: { ...token.fields, expiresAt }, successor: minted.id });
      return json(200, { ...minted.fields, id: minted.id, token: minted.secret });
    }
    if (method === "GET") return json(200, withoutSecret(token as Token));
    this.watchers.get(by)?.revoke(token as Token);
    this.change(id as string, { isLive: false });
    return { status: 204, body: "" };
  }
}

/** Serves a world to stacks, each by an address of its own: "/one/v2/tokens". */
export const serveWorld = (world: World): Promise<ScriptedService> =>
  startService((response, { call, headers, body: sent }, socket) => {
    const [method = "", url = ""] = call.split(" ");
    const [, by = "", ...rest] = url.split("/");
    const credential = (headers.authorization ?? "").replace("Bearer ", "");
    const served = world.serve({ by, method, path: `/${rest.join("/")}`, credential, body: sent });
    if (!served) return void socket.resetAndDestroy();
    const { status, body, type, isCut } = served;
    const length = isCut ? { "content-length": String(body.length) } : {};
    response.writeHead(status, defined({ ...dateHeaders(world.clock, world.now), "content-type": type, ...length }));
    if (isCut) response.write(body.slice(0, body.length / 2), () => socket.destroy());
    else response.end(body);
  });

const json = (status: number, body: unknown): Served => ({
  status,
  body: JSON.stringify(body),
  type: "application/json",
});

const withoutSecret = ({ id, fields }: Token) => ({ ...fields, id });

function spoil(fault: Fault, served: Served | undefined): Served | undefined {
  const [kind] = fault.split(" ");
  if (kind === "error") return json(502, {});
  if (kind === "page") return { status: 200, body: "<!doctype html>", type: "text/html" };
  return kind === "cut" && served?.body ? { ...served, isCut: true } : undefined;
}
