import fc from "fast-check";
import { hostile } from "../../support/hostile";
import { bodyCanary, jsonText, nearlyFitting } from "../jsonText";
import { keysIn } from "./operations";

/** A minted secret that a service should keep to its field. */
export const strayedSecret = "xaat-5c1e9a70-strayed-secret";

/** A refusal's message, which an error quotes, with the access token and another secret in it. */
const messageText = (credential: string): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(credential, strayedSecret, ...hostile)), {
      maxLength: 4,
    })
    .map((parts) => JSON.stringify(parts.join("")));

/** Anything as the body of an answer; often something that nearly fits. */
function bodyOf(answer: object, credential: string): fc.Arbitrary<Buffer> {
  const special = {
    message: messageText(credential),
    // An error may name the id of what it is about.
    id: fc.oneof(
      fc.constantFrom('"t1"', '""', "7", "null"),
      fc.string().map((id) => JSON.stringify(id)),
    ),
  };
  const keys = [...keysIn(answer), "message", "code", "detail", "line", "column"];
  const any = jsonText(keys, special);
  const member = fc
    .constantFrom(...keys)
    .chain((key) => fc.tuple(fc.constant(key), Object.hasOwn(special, key) ? special[key as "id"] : any));
  const near: fc.Arbitrary<string> = Array.isArray(answer)
    ? fc
        .array(fc.oneof(nearlyFitting(answer[0], member), any), { maxLength: 4 })
        .map((entries) => `[${entries.join(",")}]`)
    : nearlyFitting(answer, member);
  const json = fc.oneof({ weight: 3, arbitrary: near }, { weight: 2, arbitrary: any });
  return fc.oneof(
    { weight: 12, arbitrary: json.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: fc.tuple(json, fc.nat(200)).map(([text, end]) => Buffer.from(text).subarray(0, end)) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(`<html>${bodyCanary} ${credential}</html>`)) },
    { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  );
}

const headerValue = fc.oneof(
  fc.stringMatching(/^[!-~]{0,12}$/),
  fc.nat(100_000).map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  fc.constantFrom(
    "",
    "-1",
    "1e9",
    "9".repeat(40),
    "0",
    "1",
    "\u00ff\u0080",
    `${bodyCanary}`,
    "xaat-in-a-header-0a1b2c3d",
  ),
);
const headerName = fc.constantFrom(
  ..."retry-after x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset date location set-cookie".split(" "),
  ..."content-encoding content-type upgrade trailer keep-alive __proto__ constructor".split(" "),
);
const contentType = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("application/json", "application/json; charset=utf-8", "application/problem+json"),
  },
  { weight: 1, arbitrary: fc.constantFrom("text/html", "application/jsonx", "", "application/json\u00ff") },
);
const status = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(200, 201, 204) },
  { weight: 4, arbitrary: fc.constantFrom(400, 401, 403, 404, 408, 409, 422, 429, 430, 500, 502, 503) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_200 }) },
  { weight: 1, arbitrary: fc.constantFrom(100, 101, 103, 301, 304, 307, 205, 206, 299, 999) },
);

/** How the end of the body is told, rightly or wrongly. */
const framings: Readonly<Record<string, (body: Buffer) => [header: string, body: Buffer]>> = {
  length: (body) => [`content-length: ${body.length}`, body],
  "too long": (body) => [`content-length: ${body.length + 7}`, body],
  "too short": (body) => [`content-length: ${Math.floor(body.length / 2)}`, body],
  closing: (body) => ["connection: close", body],
  chunks: (body) => [
    "transfer-encoding: chunked",
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]),
  ],
  "broken chunks": (body) => ["transfer-encoding: chunked", Buffer.concat([Buffer.from("zz\r\n"), body])],
};
const framing = fc.oneof(
  { weight: 5, arbitrary: fc.constant("length") },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(framings)) },
);

/** Any bytes that a service could answer with. */
export function answerBytes(answer: object, credential: string): fc.Arbitrary<Uint8Array> {
  const parts = fc.record({
    status,
    contentType,
    headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 3 }),
    framing,
    body: bodyOf(answer, credential),
  });
  const http = parts.map(({ status, contentType, headers, framing, body }) => {
    const [end, framed] = framings[framing]?.(body) ?? ["", body];
    const lines = [
      `HTTP/1.1 ${status} X`,
      `content-type: ${contentType}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
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
