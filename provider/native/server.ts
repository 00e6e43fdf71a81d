import { type handleUnaryCall, Server, ServerCredentials } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import schema from "../../schema.json";
import { version } from "../../sdk";
import { Connection } from "../session/connection";
import { checkConfiguration, compareConfiguration, readConfiguration } from "./configuration";
import { EngineLog } from "./engineLog";
import { toServiceError } from "./failures";
import { invoke } from "./functions";
import { ResourceHooks } from "./provider";

/** Messages can hold an answer of a query. */
const largestMessage = 400 * 1024 * 1024;

/**
 * Serves the provider to the engine.
 * @param engine the engine's address; undefined: nobody to tell anything
 * @param connection what its calls work with
 */
export async function serve(
  engine: string | undefined,
  log = new EngineLog(engine),
  connection = new Connection(log.about(""), engine),
): Promise<{ readonly port: number; readonly stop: () => void }> {
  const limits = { "grpc.max_receive_message_length": largestMessage, "grpc.max_send_message_length": largestMessage };
  const server = new Server(limits);
  server.addService(ResourceProviderService, { ...handlersOf(log, connection) });
  const credentials = ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (failure, bound) => (failure ? reject(failure) : resolve(bound)));
  });
  return { port, stop: () => server.forceShutdown() };
}

function handlersOf(log: EngineLog, connection: Connection) {
  const everyone = log.about("");
  const hooks = new ResourceHooks(connection, log);
  return {
    handshake: answer(async () => new messages.ProviderHandshakeResponse().setAcceptSecrets(true)),
    getPluginInfo: answer(async () => new PluginInfo().setVersion(version)),
    getSchema: answer(async () => new messages.GetSchemaResponse().setSchema(JSON.stringify(schema))),
    checkConfig: answer((request: messages.CheckRequest) => checkConfiguration(request, everyone)),
    diffConfig: answer(async (request: messages.DiffRequest) => compareConfiguration(request)),
    configure: answer(async (request: messages.ConfigureRequest) => {
      connection.configure(readConfiguration(request));
      return new messages.ConfigureResponse().setAcceptsecrets(true);
    }),
    check: answer((request: messages.CheckRequest) => hooks.check(request)),
    diff: answer((request: messages.DiffRequest) => hooks.diff(request)),
    create: answer((request: messages.CreateRequest) => hooks.create(request)),
    read: answer((request: messages.ReadRequest) => hooks.read(request)),
    update: answer((request: messages.UpdateRequest) => hooks.update(request)),
    delete: answer((request: messages.DeleteRequest) => hooks.delete(request).then(() => new Empty())),
    invoke: answer((request: messages.InvokeRequest) => invoke(request, connection, everyone)),
    // The first Ctrl-C lets a create finish: a token whose secret nobody records is worse than a wait.
    cancel: answer(async () => new Empty()),
  };
}

/** A handler of one call. A failure is its message, and what the engine is to keep; never a stack. */
const answer =
  <Request, Response>(handle: (request: Request) => Promise<Response>): handleUnaryCall<Request, Response> =>
  (call, callback) => {
    handle(call.request).then(
      (response) => callback(null, response),
      (failure) => callback(toServiceError(failure)),
    );
  };
