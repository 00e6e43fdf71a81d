import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { checkInputs } from "../../provider/lifecycle/check";
import type { Unchecked } from "../../provider/lifecycle/contract";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/lifecycle/token/apiToken";
import { deriveOutputs } from "../../provider/lifecycle/token/outputs";
import { connect } from "../support/client";
import { CHECKOUT } from "../support/program";
import { type Behaviour, json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";

// What the provider recorded before it left out what another member tells: every state keeps its key and the expiry twice.

interface Token {
  /** What the program declares, and what the constructor adds. */
  readonly news: Unchecked;
  /** As recorded. */
  readonly inputs: ApiTokenInputs;
  readonly state: ApiTokenState;
}

const recorded: Record<string, Token> = JSON.parse(readFileSync(join(CHECKOUT, "tests/fixtures/tokens.json"), "utf8"));

const withoutKey = <Values extends object>(values: Values): Values => ({ ...values, resourceKey: undefined });
const stored = <Values extends object>(values: Values): Values => JSON.parse(JSON.stringify(values));

/** The forms that a token's state can have, by what wrote it. */
const forms: Record<string, (token: Token) => Token> = {
  "a program of before": (token) => token,
  "version 0.1.0": ({ news, inputs, state }) => stored({ news, inputs: withoutKey(inputs), state: withoutKey(state) }),
  "the plugin": ({ news, inputs, state }) => ({ news, inputs, state: { ...state, ...deriveOutputs(state) } }),
};

const cases = Object.entries(forms).flatMap(([form, of]) =>
  Object.entries(recorded).map(([name, token]) => ({ form, name, ...of(token) })),
);

const plan = (more: object = {}) => planOf("extended", { here: undefined, ...more });

const check = ({ inputs, news }: Token) => {
  const checked = checkInputs(apiToken, { ...inputs }, news, plan());
  expect(checked.failures).toEqual([]);
  return checked.inputs;
};

/** A service that answers as a token was recorded, but for what differs. */
const liveOf = ({ state }: Token, more: object = {}): object => {
  const { name, description, orgCapabilities, expiresAt } = state;
  return { id: "t1", name, description, orgCapabilities, expiresAt, ...more };
};

async function read(token: Token, live: object) {
  await using service = await startService(json(200, live));
  await using client = connect(service.url, { profile: "extended" });
  const here = sessionOf(client);
  const found = await apiToken.read(here, "t1", { ...token.state, baseUrl: service.url });
  if (!found?.inputs) throw new Error("unreachable");
  return stored({ ...token, inputs: found.inputs, state: { ...found.state, baseUrl: token.state.baseUrl ?? "" } });
}

describe.each(cases)("the $name token that $form recorded", ({ form, name, ...token }) => {
  const isLost = name === "lost";

  test("is unchanged in an update", () => {
    const inputs = check(token);
    expect(inputs.name).toBe(token.inputs.name);
    const { changes, replaces } = apiToken.diff("t1", token.state, inputs, plan());
    expect({ changes, replaces }).toEqual(
      isLost ? { changes: true, replaces: ["token"] } : { changes: false, replaces: [] },
    );
  });

  test("is found as it is recorded: a refresh writes nothing", async () => {
    const found = await read(token, liveOf(token));
    const { fingerprint: _, rotatesAt: __, ...state } = token.state as ApiTokenState & { rotatesAt?: string };
    expect(found.state).toEqual(state);
    expect(found.inputs).toEqual(token.inputs);
  });

  test("has a successor that names it, which is minted once, and is revoked", async () => {
    const posts: string[] = [];
    const answer: Behaviour = (response, request, socket) => {
      if (request.call.startsWith("DELETE")) return json(200, {})(response, request, socket);
      posts.push(request.call);
      return json(200, { ...JSON.parse(request.body), id: "t2", token: "xaat-2" })(response, request, socket);
    };
    await using service = await startService(answer);
    await using client = connect(service.url, { profile: "extended" });
    const session = sessionOf(client);
    const { ledger, adoptions } = session;
    const state = { ...token.state, baseUrl: service.url };
    const news: Unchecked = { ...token.news, description: "another text", adopt: undefined };
    const inputs = check({ ...token, news });
    expect(apiToken.diff("t1", state, inputs, plan({ ledger, adoptions })).changes).toBe(true);
    // The engine checks a replacement again without old inputs.
    const { inputs: anew } = checkInputs(apiToken, undefined, news, plan());
    const successor = await apiToken.create(session, anew);
    expect(successor.state.replaced).toMatchObject([{ id: "t1" }]);
    await apiToken.delete(session, "t1", state);
    expect(posts).toEqual(["POST /v2/tokens"]);
    expect(service.calls.at(-1)).toBe("DELETE /v2/tokens/t1");
    expect(session.warnings).toEqual([]);
  });
});

/** What is recorded now: nothing that another member tells. */
const shortened = ({ news, inputs, state }: Token): Token => {
  const { resolvedExpiresAt, ...others } = state;
  return { news, inputs, state: resolvedExpiresAt === state.expiresAt ? others : state };
};

test.each(
  Object.entries(recorded).flatMap(([name, token]) =>
    [
      ["an earlier", "2026-12-01T00:00:00Z"],
      ["no", undefined],
    ].map(([whose, expiresAt]) => ({ name, token, whose, expiresAt })),
  ),
)(
  "the $name token that shows $whose expiry behind our back means the same, however it was recorded",
  async ({ token, expiresAt }) => {
    const twice = async (one: Token) => {
      const live = liveOf(one, { expiresAt });
      const first = await read(one, live);
      const second = await read(first, live);
      const { inputs, failures } = checkInputs(apiToken, { ...second.inputs }, one.news, plan());
      const { changes, replaces } = apiToken.diff("t1", second.state, inputs, plan());
      return { inputs: second.inputs, expiresAt: second.state.expiresAt, failures, changes, replaces };
    };
    expect(await twice(shortened(token))).toEqual(await twice(token));
  },
);
