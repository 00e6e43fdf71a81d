import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { isMarkedSecret } from "../../framework/engineValues";
import {
  Annotation,
  ApiToken,
  getToken,
  getTokens,
  getTokensOutput,
  Provider,
  queryApl,
  queryDatasetOutput,
} from "../../provider";

// Like a user's unit test: no engine, no service, no settings.

const calls: pulumi.runtime.MockCallArgs[] = [];
const answers: Record<string, object> = {};
const answer = (name: string, value: object) => Object.assign(answers, { [`event-datasets:index:${name}`]: value });
const declared: pulumi.runtime.MockResourceArgs[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource(args) {
      declared.push(args);
      return { id: `${args.name}-id`, state: args.inputs };
    },
    call(args) {
      calls.push(args);
      return answers[args.token] ?? {};
    },
  }),
);

beforeEach(() => {
  calls.length = 0;
  declared.length = 0;
});

const resolveOutput = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => void output.apply(resolve));

test("lookups and queries are calls of the mock, by the name of the function", async () => {
  const token = { id: "t1", name: "ci" };
  answer("getTokens", { tokens: [token] });
  answer("getToken", token);
  answer("queryApl", { matches: [], status: { messages: [] } });
  answer("queryDataset", { matches: [{ data: { n: 1 } }], status: { messages: [] } });
  expect(await getTokens({ name: "ci" })).toEqual({ tokens: [token] });
  expect(await getToken({ id: "t1" })).toMatchObject({ name: "ci" });
  expect(await queryApl({ apl: "['web']" })).toMatchObject({ matches: [] });
  const asked = queryDatasetOutput({ dataset: pulumi.output("web"), groupBy: [pulumi.output("service")] });
  expect(await resolveOutput(asked)).toMatchObject({ matches: [{ data: { n: 1 } }] });
  expect(calls.map(({ token, inputs }) => [token, inputs])).toEqual([
    ["event-datasets:index:getTokens", { name: "ci" }],
    ["event-datasets:index:getToken", { id: "t1" }],
    ["event-datasets:index:queryApl", { apl: "['web']" }],
    ["event-datasets:index:queryDataset", { dataset: "web", groupBy: ["service"] }],
  ]);
});

test("a lookup through an explicit provider and after a resource is a call of the mock, too", async () => {
  answer("getTokens", { tokens: [] });
  const provider = new Provider("other", { baseUrl: "https://a.example", accessToken: pulumi.secret("t") });
  const ci = new ApiToken("ci", {}, { provider });
  expect(await resolveOutput(getTokensOutput({ name: ci.name }, { provider, dependsOn: ci }))).toEqual({ tokens: [] });
  expect(await getTokens({}, { provider })).toEqual({ tokens: [] });
  expect(calls).toHaveLength(2);
});

test("when a rotation is due is as secret as its arguments are", async () => {
  const expiresIn = "90d";
  const plain = new ApiToken("plain", { expiresIn, rotation: { rotateBefore: "14d" } });
  const window = new ApiToken("window", { expiresIn, rotation: { rotateBefore: pulumi.secret("14d") } });
  const tokens = [plain, window];
  expect(await Promise.all(tokens.map(({ rotatesAt }) => pulumi.isSecret(rotatesAt)))).toEqual([false, true]);
  await Promise.all(tokens.map(({ urn }) => resolveOutput(urn)));
  const named = Object.fromEntries(declared.map(({ name, inputs }) => [name, inputs.secretInputs]));
  expect(named).toEqual({ plain: undefined, window: ["rotation"] });
});

test("the secret of an adopted token is secret, also if the program has it in plain text", async () => {
  const { urn } = new ApiToken("adopted", { adopt: { id: "t1", token: "xaat-plain" } });
  await resolveOutput(urn);
  expect(isMarkedSecret(declared[0]?.inputs.adopt)).toBe(true);
});

test("an unknown argument reaches the provider, which names it; a Provider names its own", async () => {
  new ApiToken("ci", { expireAt: "2030-01-01T00:00:00Z" } as object);
  await new Promise(setImmediate);
  expect(declared.find(({ name }) => name === "ci")?.inputs).toMatchObject({ expireAt: "2030-01-01T00:00:00Z" });
  expect(() => new Provider("p", { baseURL: "https://a.example", accessToken: "t" } as never)).toThrow(
    'Provider "p": argument baseUrl is missing or empty; argument baseURL is not known; did you mean "baseUrl"?',
  );
});

test("the option import says what to write instead", () => {
  expect(() => new ApiToken("ci", {}, { import: "t1" })).toThrow(
    'ApiToken "ci": the option import does not work for this resource: take the token over with the argument adopt: { id }',
  );
});

test("an argument of a token that is null is absent, also with deleteBeforeReplace", async () => {
  const args = { rotation: null, adopt: null, sealFor: null, expiresAt: null } as never;
  for (const options of [{}, { deleteBeforeReplace: true }]) {
    const { rotatesAt } = new ApiToken(`ci-${Object.keys(options).length}`, args, options);
    expect(await resolveOutput(rotatesAt)).toBeUndefined();
  }
});

test("an argument of a provider that is null is absent, and absent arguments are named", async () => {
  const args = { baseUrl: "https://api.example.com", accessToken: "xaat-a", profile: null, orgId: pulumi.output(null) };
  const { connection } = new Provider("prod", args as never);
  const { profile, orgId } = await resolveOutput(connection);
  expect([profile, orgId]).toEqual([undefined, undefined]);
  expect(() => new Provider("none", undefined as never)).toThrow("argument baseUrl is missing or empty");
});

test.each([ApiToken, Annotation])(
  "get refuses the arguments of a generated class: its options would be lost",
  (type) => {
    const get = type.get.bind(type) as (...args: unknown[]) => unknown;
    expect(() => get("found", "t1", undefined, { parent: undefined })).toThrow(
      "get takes a name, an id and options, but no state",
    );
  },
);
