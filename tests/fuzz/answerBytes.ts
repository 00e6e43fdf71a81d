import fc from "fast-check";
import { anyCharacter, hostile } from "../support/hostile";

/** Stands in values and keys of answers: no error may say it. */
export const bodyCanary = "cnry-of-a-body-6b1f0d93c7";
/** A minted secret that a service should keep to its field. */
export const strayedSecret = "xaat-5c1e9a70-strayed-secret";
/** A secret in a header. */
export const headerSecret = "xaat-in-a-header-0a1b2c3d";

/** Values that a careless or hostile service could send anywhere, as the text of JSON. */
const leaves = fc.oneof(
  fc.constantFrom(
    ...["null", "true", "false", "0", "-0", "-1", "1e400", "1e-400", "12345678901234567890", "0.1"],
    ...["[]", "{}", '""', `"${bodyCanary}"`, '"2026-11-20T00:00:00Z"', '"\\u0000"', '"\\ud800"', '"__proto__"'],
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.string({ unit: anyCharacter, maxLength: 8 }).map((text) => JSON.stringify(text)),
);

/** Keys that mean something to the language. */
const trapKeys = ["__proto__", "constructor", "prototype", "toString", "then", "toJSON", "length", "", bodyCanary];

/** The text of an object: by text, a key can be there twice and may be `__proto__`. */
const objectText = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;

/** The text of any JSON, and of a member of an object. A refusal's message, which an error quotes, has secrets in it. */
const anyJson = (keys: readonly string[], credential: string) =>
  fc.letrec<{ value: string; member: readonly [string, string] }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      leaves,
      fc.array(tie("value"), { maxLength: 3 }).map((members) => `[${members.join(",")}]`),
      fc.array(tie("member"), { maxLength: 5 }).map(objectText),
    ),
    member: fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fc.constantFrom(...keys), tie("value")) },
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...trapKeys), tie("value")) },
      { weight: 1, arbitrary: fc.tuple(fc.constant("message"), messageText(credential)) },
    ),
  }));

const messageText = (credential: string): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(credential, strayedSecret, ...hostile)), {
      maxLength: 4,
    })
    .map((parts) => JSON.stringify(parts.join("")));

/** Every key of an answer that fits, at any level. */
function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...new Set([...own, ...Object.values(value).flatMap(keysIn)])];
}

/** Anything as the body of an answer; often an answer that fits, with some members in the place of its own. */
function bodyOf(answer: object, credential: string): fc.Arbitrary<Buffer> {
  const { value, member } = anyJson([...keysIn(answer), "message", "code", "detail", "line", "column"], credential);
  const fitting = Object.entries(Array.isArray(answer) ? answer[0] : answer);
  const own = fitting.map(([key, one]) => [key, JSON.stringify(one)] as const);
  // The last of two members of a name counts.
  const object = fc.array(member, { maxLength: 4 }).map((others) => objectText([...own, ...others]));
  const near = Array.isArray(answer)
    ? fc.array(fc.oneof(object, value), { maxLength: 4 }).map((entries) => `[${entries.join(",")}]`)
    : object;
  const json = fc.oneof({ weight: 3, arbitrary: near }, { weight: 2, arbitrary: value });
  return fc.oneof(
    { weight: 12, arbitrary: json.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: fc.tuple(json, fc.nat(200)).map(([text, end]) => Buffer.from(text).subarray(0, end)) },
    { weight: 1, arbitrary: fc.constantFrom(Buffer.from(`<html>${bodyCanary} ${credential}</html>`), Buffer.alloc(0)) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  );
}

const headerValue = fc.oneof(
  fc.stringMatching(/^[!-~]{0,12}$/),
  fc.nat(100_000).map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  fc.constantFrom("", "-1", "1e9", "9".repeat(40), "0", "1", "\u00ff\u0080", bodyCanary, headerSecret),
);
const headerName = fc.constantFrom(
  ..."retry-after x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset date location set-cookie".split(" "),
  ..."content-encoding upgrade trailer keep-alive __proto__ constructor".split(" "),
);
const json = "application/json";
const contentType = fc.constantFrom(
  ...[json, json, json, json, `${json}; charset=utf-8`, "application/problem+json"],
  ...["text/html", "application/jsonx", "", `${json}\u00ff`],
);
const status = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(200, 201, 204) },
  { weight: 4, arbitrary: fc.constantFrom(400, 401, 403, 404, 408, 409, 422, 429, 430, 500, 502, 503) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_200 }) },
  { weight: 1, arbitrary: fc.constantFrom(100, 101, 103, 301, 304, 307, 205, 206, 299, 999) },
);

type Framing = (body: Buffer) => [header: string, body: Buffer];
const withLength =
  (lengthOf: (length: number) => number): Framing =>
  (body) => [`content-length: ${lengthOf(body.length)}`, body];
const inChunks =
  (head: (length: string) => string, end: string): Framing =>
  (body) => {
    const parts = [Buffer.from(`${head(body.length.toString(16))}\r\n`), body, Buffer.from(end)];
    return ["transfer-encoding: chunked", Buffer.concat(parts)];
  };

/** How the end of the body is told, rightly or wrongly. */
const framing = fc.oneof(
  { weight: 5, arbitrary: fc.constant(withLength((length) => length)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Framing>(
      withLength((length) => length + 7),
      withLength((length) => Math.floor(length / 2)),
      (body) => ["connection: close", body],
      inChunks((length) => length, "\r\n0\r\n\r\n"),
      inChunks(() => "zz", ""),
    ),
  },
);

/** Any bytes that a service could answer with. */
export function answerBytes(answer: object, credential: string): fc.Arbitrary<Uint8Array> {
  const headers = fc.array(fc.tuple(headerName, headerValue), { maxLength: 3 });
  const http = fc
    .tuple(status, contentType, headers, framing, bodyOf(answer, credential))
    .map(([code, type, more, frame, body]) => {
      const [end, framed] = frame(body);
      const lines = [
        `HTTP/1.1 ${code} X`,
        `content-type: ${type}`,
        ...more.map(([name, value]) => `${name}: ${value}`),
        end,
      ];
      return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), framed]);
    });
  return fc.oneof(
    { weight: 20, arbitrary: http },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
    { weight: 1, arbitrary: fc.tuple(http, fc.nat(150)).map(([bytes, end]) => bytes.subarray(0, end)) },
  );
}
