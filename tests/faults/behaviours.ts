import { gzipSync } from "node:zlib";
import type { Answer, Behaviour, Exchange } from "./proxy";

const asJson = { "content-type": "application/json" };

/** Answers this in place of the service. */
export const answer =
  (status: number, body: unknown = { message: "no" }, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  ({ response }) =>
    void response.writeHead(status, { ...asJson, ...headers }).end(JSON.stringify(body));

/** Answers this text, which need not be JSON. */
export const answerText =
  (contentType: string | undefined, text: string, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  ({ response }) =>
    void response
      .writeHead(200, { ...(contentType === undefined ? {} : { "content-type": contentType }), ...headers })
      .end(text);

export const pass: Behaviour = async ({ response, carryOut }) => {
  const { status, headers, body } = await carryOut();
  response.writeHead(status, headers).end(body);
};

/** Does this only after the service has carried the request out. */
export const afterwards =
  (behaviour: Behaviour): Behaviour =>
  async (exchange) => {
    await exchange.carryOut();
    await behaviour(exchange);
  };

/** Has the request carried out and passes on what this makes of the answer. */
export const altered =
  (alter: (answer: Answer) => Answer): Behaviour =>
  (exchange) =>
    pass({ ...exchange, carryOut: async () => alter(await exchange.carryOut()) });

export const reset: Behaviour = ({ socket }) => void socket.resetAndDestroy();
export const close: Behaviour = ({ socket }) => void socket.destroy();
export const staySilent: Behaviour = () => undefined;

/** Only on a connection that served a request before: the service closed it while idle. */
export const resetIfReused: Behaviour = (exchange) => (exchange.reused ? reset(exchange) : pass(exchange));

/** The headers, and then nothing. */
export const headersOnly: Behaviour = ({ response }) => {
  response.writeHead(200, { ...asJson, "content-length": "100" });
  response.flushHeaders();
};

/** One byte now and then, for longer than anybody waits; the headers are all there. */
export const drip: Behaviour = async ({ response, carryOut }) => {
  const { body } = await carryOut();
  response.writeHead(200, asJson);
  let at = 0;
  const timer = setInterval(
    () => response.write(body.subarray(at, ++at).length ? body.subarray(at - 1, at) : " "),
    200,
  );
  response.on("close", () => clearInterval(timer));
};

/** Half of the body, and the end of the connection before the length that was announced. */
export const cut: Behaviour = async ({ response, socket, carryOut }) => {
  const { status, headers, body } = await carryOut();
  response.writeHead(status, { ...headers, "content-length": String(body.length) });
  response.write(body.subarray(0, body.length / 2), () => socket.destroy());
};

/** The same of a body whose length was not announced. */
export const cutChunked: Behaviour = async ({ response, socket, carryOut }) => {
  const { status, headers, body } = await carryOut();
  response.writeHead(status, headers);
  response.write(body.subarray(0, body.length / 2), () => socket.destroy());
};

export const truncate = altered((given) => ({ ...given, body: given.body.subarray(0, given.body.length / 2) }));

export const gzipped = altered((given) => ({
  ...given,
  headers: { ...given.headers, "content-encoding": "gzip" },
  body: gzipSync(given.body),
}));

export const relabelled = (contentType: string) =>
  altered((given) => ({ ...given, headers: { "content-type": contentType } }));

/** The JSON object of the answer with other members. */
export const withMembers = (members: Readonly<Record<string, unknown>>) =>
  altered((given) => ({
    ...given,
    body: Buffer.from(JSON.stringify({ ...JSON.parse(String(given.body)), ...members })),
  }));

/** Bytes in place of an answer, whether they are HTTP or not. */
export const bytes =
  (text: string): Behaviour =>
  ({ socket }: Exchange) =>
    void socket.end(text);

/** The answer with a status line that is not HTTP: a parser's error likes to quote what it could not read. */
export const garbled: Behaviour = async ({ socket, carryOut }) => {
  const { body } = await carryOut();
  socket.end(Buffer.concat([Buffer.from("HTTP/9.9 2OO "), body, Buffer.from("\r\n\r\n")]));
};

/** The answer as broken chunks. */
export const brokenChunks: Behaviour = async ({ socket, carryOut }) => {
  const { body } = await carryOut();
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
  socket.end(Buffer.concat([Buffer.from(head), body, Buffer.from("\r\nzz\r\n")]));
};

/** A body without end, which the one who reads it has to end. */
export const endless: Behaviour = ({ response }) => {
  response.writeHead(200, asJson);
  const part = Buffer.alloc(1024 * 1024, " ");
  const more = () => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};

/** Interim answers before the real one. */
export const earlyHints: Behaviour = async (exchange) => {
  exchange.response.writeEarlyHints({ link: "</style.css>; rel=preload" });
  await pass(exchange);
};
