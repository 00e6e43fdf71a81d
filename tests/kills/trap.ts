import {
  type Behaviour,
  type Exchange,
  FaultProxy,
  forwardTo,
  requestMatcher,
  type ServiceResponse,
} from "../faults/proxy";
import { findFreePort } from "../support/service";
import type { Boundary } from "./instant";

/** How the held exchange goes on. */
type Release = "pass" | "drop";

interface Hold {
  readonly boundary: Boundary;
  readonly caught: PromiseWithResolvers<void>;
  readonly release: PromiseWithResolvers<Release>;
}

/** Stands between provider and service: counts, notes who was created, and holds an exchange at a boundary. */
export class Trap implements AsyncDisposable {
  /** Every create that arrived, with the id that its answer had. */
  readonly creates: { readonly name: string; id: string | undefined }[] = [];
  /** The id that each secret was answered with. */
  readonly ids = new Map<string, string>();
  readonly revoked: string[] = [];
  /** The requests that the service is carrying out. */
  readonly #underWay = new Set<Promise<ServiceResponse>>();
  #proxy: FaultProxy | undefined;
  #set: Hold | undefined;

  static async open(url: string): Promise<Trap> {
    const trap = new Trap();
    const injected = { behaviour: trap.#meet, meets: () => true, times: Number.POSITIVE_INFINITY };
    trap.#proxy = await FaultProxy.start(forwardTo(url), injected, await findFreePort());
    return trap;
  }

  get url(): string {
    return this.#proxy?.url ?? "";
  }

  /** Holds the next exchange at this boundary. */
  set(boundary: Boundary): { readonly caught: Promise<void>; readonly release: (how: Release) => void } {
    const set = { boundary, caught: Promise.withResolvers<void>(), release: Promise.withResolvers<Release>() };
    this.#set = set;
    return { caught: set.caught.promise, release: set.release.resolve };
  }

  /** Holds nothing any more. */
  clear(): void {
    this.#set?.release.resolve("pass");
    this.#set = undefined;
  }

  /** Takes no connections while the service is away. Only an answer has the id of a new token, so it waits for those under way. */
  async away(during: () => Promise<void>): Promise<void> {
    await this.#proxy?.stop();
    await Promise.allSettled(this.#underWay);
    await during();
    await this.#proxy?.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.clear();
    await this.#proxy?.[Symbol.asyncDispose]();
  }

  readonly #meet: Behaviour = async (exchange) => {
    const { method, target } = exchange.request;
    const set = this.#set;
    if (!set || !requestMatcher(set.boundary.request)(method, target))
      return deliver(exchange, await this.#note(exchange));
    this.#set = undefined;
    const answer = set.boundary.moment === "arrived" ? undefined : await this.#note(exchange);
    set.caught.resolve();
    if ((await set.release.promise) === "drop") return void exchange.socket.resetAndDestroy();
    deliver(exchange, answer ?? (await this.#note(exchange)));
  };

  async #note({ request, carryOut }: Exchange): Promise<ServiceResponse> {
    const isCreate = request.method === "POST" && /^\/v2\/(tokens|datasets)$/.test(request.target);
    const create = { name: isCreate ? String(JSON.parse(request.body.toString()).name) : "", id: undefined };
    if (isCreate) this.creates.push(create);
    const carriedOut = carryOut();
    this.#underWay.add(carriedOut);
    const answer = await carriedOut.finally(() => this.#underWay.delete(carriedOut));
    if (request.method === "DELETE" && answer.status === 204)
      this.revoked.push(String(request.target.split("/").pop()));
    if (isCreate && answer.status === 200) {
      // A dataset has no secret.
      const { id, token = "" } = JSON.parse(answer.body.toString()) as { id: string; token: string };
      Object.assign(create, { id });
      this.ids.set(token, id);
    }
    return answer;
  }
}

function deliver({ response }: Exchange, { status, headers, body }: ServiceResponse): void {
  response.writeHead(status, headers).end(body);
}
