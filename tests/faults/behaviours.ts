import { gzipSync } from "node:zlib";
import type { Behaviour, Exchange, ServiceResponse } from "./proxy";

const asJson = { "content-type": "application/json" };

/** Responds instead of the service. */
export const respond =
  (status: number, body: unknown = { message: "no" }, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  ({ response }) =>
    void response.writeHead(status, { ...asJson, ...headers }).end(JSON.stringify(body));

/** Responds with a text, which need not be JSON. */
export const respondText =
  (contentType: string | undefined, text: string, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  ({ response }) =>
    void response
      .writeHead(200, { ...(contentType === undefined ? {} : { "content-type": contentType }), ...headers })
      .end(text);

export const pass: Behaviour = async ({ response, carryOut }) => {
  const { status, headers, body } = await carryOut();
  response.writeHead(status, headers).end(body);
};

/** Runs a behaviour after the service has carried out the request. */
export const runAfterRequest =
  (behaviour: Behaviour): Behaviour =>
  async (exchange) => {
    await exchange.carryOut();
    await behaviour(exchange);
  };

/** Carries out the request, and passes on an altered response. */
const alterResponse =
  (alter: (answer: ServiceResponse) => ServiceResponse): Behaviour =>
  (exchange) =>
    pass({ ...exchange, carryOut: async () => alter(await exchange.carryOut()) });

export const reset: Behaviour = ({ socket }) => void socket.resetAndDestroy();
export const close: Behaviour = ({ socket }) => void socket.destroy();
export const staySilent: Behaviour = () => undefined;

/** Resets only a reused connection, as a service does that closed it while idle. */
export const resetIfReused: Behaviour = (exchange) => (exchange.reused ? reset(exchange) : pass(exchange));

/** Sends headers without a body. */
export const sendHeadersOnly: Behaviour = ({ response }) => {
  response.writeHead(200, { ...asJson, "content-length": "100" });
  response.flushHeaders();
};

/** Sends complete headers, then single bytes until after the deadline. */
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

/** Sends half of the body, then closes the connection before the announced length. */
export const cut: Behaviour = async ({ response, socket, carryOut }) => {
  const { status, headers, body } = await carryOut();
  response.writeHead(status, { ...headers, "content-length": String(body.length) });
  response.write(body.subarray(0, body.length / 2), () => socket.destroy());
};

export const truncate = alterResponse((given) => ({ ...given, body: given.body.subarray(0, given.body.length / 2) }));

export const compressBody = alterResponse((given) => ({
  ...given,
  headers: { ...given.headers, "content-encoding": "gzip" },
  body: gzipSync(given.body),
}));

export const relabel = (contentType: string) =>
  alterResponse((given) => ({ ...given, headers: { "content-type": contentType } }));

/** Sends bytes instead of a response; they need not be HTTP. */
export const sendBytes =
  (text: string): Behaviour =>
  ({ socket }: Exchange) =>
    void socket.end(text);

/** Sends the response with an invalid status line, because a parser's error may quote it. */
export const garbleStatusLine: Behaviour = async ({ socket, carryOut }) => {
  const { body } = await carryOut();
  socket.end(Buffer.concat([Buffer.from("HTTP/9.9 2OO "), body, Buffer.from("\r\n\r\n")]));
};

/** Sends the response in broken chunks. */
export const sendBrokenChunks: Behaviour = async ({ socket, carryOut }) => {
  const { body } = await carryOut();
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
  socket.end(Buffer.concat([Buffer.from(head), body, Buffer.from("\r\nzz\r\n")]));
};

/** Sends an endless body; the client has to stop reading. */
export const sendEndlessBody: Behaviour = ({ response }) => {
  response.writeHead(200, asJson);
  const part = Buffer.alloc(1024 * 1024, " ");
  const more = () => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};
