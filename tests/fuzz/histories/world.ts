/** A token as the model of the service keeps it. */
export interface LiveToken {
  readonly id: string;
  readonly account: string;
  readonly secret: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The stack that asked for it; undefined: made by hand. */
  readonly by: string | undefined;
}

/** The end that a rotation of a stack gave the old token. */
export interface Overlap {
  readonly until: string;
  /** Id of the new token. */
  readonly successor: string;
}

/** When the process that sends requests is killed. */
export interface Death {
  /** So many requests get their answers before. */
  readonly after: number;
  /**
   * The current request was never sent; or it was carried out and its response is lost; or its response arrives, and the process
   * ends before it is recorded.
   */
  readonly moment: "before" | "unanswered" | "answered";
  /** Only such a request counts; undefined: any does. */
  readonly method?: "DELETE" | undefined;
}

/** A create that reached the service. */
interface ReceivedCreate {
  readonly account: string;
  readonly name: string;
  /** A refusal that says for sure that nothing was done. */
  refused: boolean;
  id: string | undefined;
  /** The token was deleted, and afterwards a read or a list said so. */
  undone: boolean;
}

/** A fault of a request: `before` means before the service carries it out, `after` means afterwards. */
export type Fault =
  | "none"
  | "reset before"
  | "reset after"
  | "error before"
  | "error after"
  | "too many"
  | "page before"
  | "page after"
  | "cut after"
  | "hidden";

/** A model of the service for one history: accounts, tokens, and a judge of what is asked of it. */
export class World {
  readonly live = new Map<string, LiveToken>();
  /** By stack and old token. */
  readonly #overlaps = new Map<string, Overlap>();
  /** Everything that was ever minted, revoked or not. */
  readonly secrets: string[] = [];
  readonly violations: string[] = [];
  /** Which tokens a stack may delete. */
  mayRevoke: (id: string, by: string) => boolean = () => false;
  /** Decides each request's fault. */
  nextFault: (method: string) => Fault = () => "none";
  /** Requests of a process that is dead reach nobody. */
  isCutOff = false;
  #death: Death | undefined;
  #creates: ReceivedCreate[] = [];
  #count = 0;
  #now = Date.parse("2026-11-21T12:00:00Z");
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A process begins that ends at some request; undefined: it comes to its end. */
  begin(death: Death | undefined): void {
    this.isCutOff = false;
    this.#death = death;
  }

  get now(): Date {
    return new Date(this.#now);
  }

  passTime(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** The latest overlap that a stack gave a token. */
  overlapOf(stack: string, id: string): Overlap | undefined {
    return this.#overlaps.get(`${stack} ${id}`);
  }

  /** Another create begins, of a name that a user chose: the same name as before is no repetition. */
  beginCreate(name: string): void {
    this.#creates = this.#creates.filter((one) => one.name !== name);
  }

  /** By a stack, or by whoever has another access to the service. */
  mint(account: string, fields: Readonly<Record<string, unknown>>, by?: string): LiveToken {
    this.#count += 1;
    const id = `t${this.#count}`;
    const secret = `xaat-${this.#seed.toString(16).padStart(8, "0")}-${String(this.#count).padStart(6, "0")}-canary`;
    const token = { id, account, secret, name: String(fields.name), fields, by };
    this.live.set(id, token);
    this.secrets.push(secret);
    return token;
  }

  /** The account of a valid token that serves as a credential. */
  accountOf(secret: string): string | undefined {
    const token = [...this.live.values()].find((one) => one.secret === secret);
    const { expiresAt } = token?.fields ?? {};
    return typeof expiresAt === "string" && Date.parse(expiresAt) <= this.#now ? undefined : token?.account;
  }

  remove(id: string): void {
    this.live.delete(id);
  }

  /** One request of a stack; undefined: the connection ends without an answer. */
  serve(by: string, method: string, path: string, account: string | undefined, body: string): Served | undefined {
    if (this.isCutOff) return undefined;
    const death = this.#death;
    const isCounted = death?.method === undefined || death.method === method;
    if (death?.after === 0 && isCounted) {
      this.isCutOff = true;
      if (death.moment === "before") return undefined;
      const served = this.#meetFault(by, method, path, account, body);
      return death.moment === "answered" ? served : undefined;
    }
    if (death && isCounted) this.#death = { ...death, after: death.after - 1 };
    return this.#meetFault(by, method, path, account, body);
  }

  #meetFault(by: string, method: string, path: string, account: string | undefined, body: string): Served | undefined {
    const fault = this.nextFault(method);
    if (fault === "too many") {
      if (method === "POST") this.#received(account, body).refused = true;
      return json(429, { message: "rate limit exceeded" });
    }
    const received = method === "POST" ? this.#received(account, body) : undefined;
    if (fault.endsWith("before")) return loseResponse(fault, undefined);
    if (account === undefined) {
      if (received) received.refused = true;
      return json(401, { message: "no such credential" });
    }
    const answer = this.#carryOut({ by, method, path, account, body, received, hidesNewest: fault === "hidden" });
    return fault === "none" || fault === "hidden" ? answer : loseResponse(fault, answer);
  }

  #received(account: string | undefined, body: string): ReceivedCreate {
    const { name } = specOf(body);
    const before = this.#creates.filter((one) => one.name === name && one.account === account);
    if (before.some((one) => !one.refused && !one.undone)) this.violations.push(`a create of "${name}" was sent again`);
    const create: ReceivedCreate = { account: account ?? "", name, refused: false, id: undefined, undone: false };
    this.#creates.push(create);
    return create;
  }

  #carryOut({ by, method, path, account, body, received, hidesNewest }: Arrived): Served {
    const own = [...this.live.values()].filter((token) => token.account === account);
    const id = path.split("/")[3];
    if (method === "POST") {
      const old = own.find((one) => one.id === id);
      if (received && id !== undefined && !old) {
        received.refused = true;
        return json(404, { message: "not found" });
      }
      const token = this.mint(account, specOf(body), by);
      if (received) received.id = token.id;
      if (old) this.#overlap(by, old, token.id, JSON.parse(body).existingTokenExpiresAt);
      return json(200, { ...token.fields, id: token.id, token: token.secret });
    }
    if (id === undefined) {
      const shown = hidesNewest ? own.slice(0, -1) : own;
      this.#confirm((one) => one.account === account && !shown.some((token) => token.id === one.id));
      return json(200, shown.map(withoutSecret));
    }
    const token = own.find((one) => one.id === id);
    if (!token) {
      this.#confirm((one) => one.account === account && one.id === id);
      return json(404, { message: "not found" });
    }
    if (method === "GET") return json(200, withoutSecret(token));
    if (!this.mayRevoke(id, by)) this.violations.push(`${by} deleted ${id} of ${account}, which is not its own`);
    this.live.delete(id);
    return { status: 204, body: "", type: undefined };
  }

  #overlap(by: string, old: LiveToken, successor: string, until: string): void {
    this.live.set(old.id, { ...old, fields: { ...old.fields, expiresAt: until } });
    this.#overlaps.set(`${by} ${old.id}`, { until, successor });
  }

  #confirm(isShownGone: (one: ReceivedCreate) => boolean): void {
    for (const one of this.#creates) {
      if (one.id !== undefined && !this.live.has(one.id) && isShownGone(one)) one.undone = true;
    }
  }
}

/** The new token of a create, or of a regeneration. */
function specOf(body: string): { readonly name: string } {
  const { newToken, ...spec } = JSON.parse(body);
  return newToken ?? spec;
}

/** A request that the service carries out. */
interface Arrived {
  readonly by: string;
  readonly method: string;
  readonly path: string;
  readonly account: string;
  readonly body: string;
  readonly received: ReceivedCreate | undefined;
  readonly hidesNewest: boolean;
}

export interface Served {
  readonly status: number;
  readonly body: string;
  readonly type: string | undefined;
  /** Only half of the body arrives. */
  readonly isCut?: boolean;
}

const json = (status: number, body: unknown): Served => ({
  status,
  body: JSON.stringify(body),
  type: "application/json",
});

const withoutSecret = ({ id, fields }: LiveToken) => ({ ...fields, id });

function loseResponse(fault: Fault, answer: Served | undefined): Served | undefined {
  const [kind] = fault.split(" ");
  if (kind === "error") return json(502, { message: "bad gateway" });
  if (kind === "page") return { status: 200, body: "<!doctype html>", type: "text/html" };
  return kind === "cut" && answer?.body ? { ...answer, isCut: true } : undefined;
}
