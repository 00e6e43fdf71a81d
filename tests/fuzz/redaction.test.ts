import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { ExchangeError, type ExchangeResponse } from "../../sdk/exchange";
import { describeNetworkFailure, describeRefusal, describeUnusable, parseJson } from "../../sdk/failures";
import { warningsOf } from "../../sdk/queries/warnings";
import { anyCharacter, hostile } from "../support/hostile";
import { findSecret } from "../support/secrets";
import { runsOf } from "./random";

const settings = { numRuns: runsOf(300) };

/** All that a settings' reader lets through as a credential, so long that it is found by no chance. */
const credential = fc.oneof(
  fc.stringMatching(/^[!-~]{20,60}$/),
  fc.stringMatching(/^eyJ[\w-]{10,20}\.[\w-]{10,20}\.[\w-]{10,20}$/),
  fc.uuid().map((id) => `xaat-${id}`),
);

/** How a service that says what it was sent may write it. */
const spellings: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  "with its scheme": (secret) => `Bearer ${secret}`,
  "URL-encoded": encodeURIComponent,
  "as JSON": (secret) => JSON.stringify(secret),
  "as JSON in JSON": (secret) => JSON.stringify(JSON.stringify(secret)),
  "as base64": (secret) => Buffer.from(secret).toString("base64"),
  "as base64 of the header": (secret) => Buffer.from(`Bearer ${secret}`).toString("base64"),
  "as base64 for addresses": (secret) => Buffer.from(`x${secret}`).toString("base64url"),
  "as hex": (secret) => Buffer.from(secret).toString("hex"),
  "cut short": (secret) => `${secret.slice(0, 14)}…`,
};

const around = fc
  .array(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 6 }), fc.constantFrom(...hostile, " ".repeat(280))), {
    maxLength: 3,
  })
  .map((parts) => parts.join(""));

const said = fc.record({
  secret: credential,
  spelling: fc.constantFrom(...Object.keys(spellings)),
  before: around,
  after: around,
});

const settingsOf = (accessToken: string) => ({
  baseUrl: "https://api.example.com",
  accessToken,
  profile: "extended" as const,
  requireExpiry: false,
  credentialFrom: "environment variable EVENT_DATASETS_ACCESS_TOKEN",
});

const call = {
  label: "GET /v2/tokens",
  repeatable: true,
  maxBytes: 1_024,
  additions: [{ kind: "query parameter", name: "format" }] as const,
  needs: "apiTokens: create",
  unnamed: ["format"],
};

/** All that can be read of an error. */
const textOf = (error: Error) =>
  [error.message, error.stack, inspect(error.cause), inspect(error, { depth: null, showHidden: true })].join("\n");

test("no error built of an answer says the credential that the service repeats, however it is written", async () => {
  await fc.assert(
    fc.asyncProperty(said, fc.integer({ min: 300, max: 599 }), async ({ secret, spelling, before, after }, status) => {
      const message = `${before} ${spellings[spelling]?.(secret)} ${after}`;
      const answer: ExchangeResponse = {
        status,
        arrived: 0,
        headers: { "content-type": "application/json", "retry-after": secret, date: secret, location: secret },
        body: JSON.stringify({ message, code: secret, detail: { line: 1, column: 2, secret } }),
      };
      const { error } = describeRefusal(call, answer, settingsOf(secret), undefined);
      expect(await findSecret({ texts: { error: textOf(error) } }, secret)).toEqual([]);
    }),
    settings,
  );
});

test("no error says the secret of a token that the service repeats, and no warning of a result", async () => {
  const minted = fc.uuid().map((id) => `xaat-${id}`);
  await fc.assert(
    fc.asyncProperty(minted, around, around, async (secret, before, after) => {
      const message = `${before}${secret}${after}`;
      const body = JSON.stringify({ message });
      const answer = { status: 400, arrived: 0, headers: { "content-type": "application/json" }, body };
      const { error } = describeRefusal(call, answer, settingsOf("another-credential"), undefined);
      const status = { messages: [{ msg: message }, { code: message }] };
      const warnings = warningsOf({ status } as unknown as Parameters<typeof warningsOf>[0]);
      const texts = { error: textOf(error), warnings: warnings.join("\n") };
      // The common prefix of the service's secrets gives nothing away.
      const own = secret.slice("xaat-".length);
      expect(await findSecret({ texts }, own)).toEqual([]);
    }),
    settings,
  );
});

test("what breaks off, does not fit or cannot be parsed is told without a byte of it", async () => {
  const secret = "cnry-0a9b8c7d6e5f-in-the-answer";
  const pieces = fc.oneof(fc.constant(secret), fc.string({ unit: anyCharacter, maxLength: 8 }));
  const text = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, text, fc.boolean(), async (body, message, sent) => {
      const cause = Object.assign(new Error(message), { code: "HPE_INVALID_CONSTANT", data: body, rawPacket: body });
      const broken = describeNetworkFailure(call, new ExchangeError(sent, undefined, cause), undefined).error;
      const answer = { status: 200, arrived: 0, headers: { "content-type": "application/json" }, body };
      expect(() => parseJson(answer)).not.toThrow();
      const unusable = describeUnusable(call.label, answer, "the response is not JSON").error;
      const texts = { broken: textOf(broken), unusable: textOf(unusable) };
      expect(await findSecret({ texts }, secret)).toEqual([]);
    }),
    settings,
  );
});
