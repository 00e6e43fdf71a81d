import { credentials, type handleUnaryCall, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { EngineLog } from "../engineLog";
import { ask } from "../functions";
import { Host } from "../host";
import type { Provider } from "../provider";
import { hasUnknown } from "../unknown";
import { checkConfiguration, compareConfiguration, readConfiguration } from "./configuration";
import { toServiceError } from "./failures";
import { decode, encode, nameOfType } from "./properties";
import { ResourceHooks } from "./provider";

/** Messages can hold the result of a query. */
const largestMessage = 400 * 1024 * 1024;

/**
 * Serves a provider to the engine, for every language.
 * @param schema the package schema
 * @param engine the engine's address; undefined: nobody to tell anything
 */
export async function serve(
  provider: Provider,
  schema: object,
  engine: string | undefined,
  log = new EngineLog(() => (engine ? new EngineClient(engine, credentials.createInsecure()) : undefined)),
  host = new Host(provider.connect, log.about(""), { seesOptions: false }),
): Promise<{ readonly port: number; readonly stop: () => void }> {
  const limits = { "grpc.max_receive_message_length": largestMessage, "grpc.max_send_message_length": largestMessage };
  const server = new Server(limits);
  server.addService(ResourceProviderService, { ...handlersOf(provider, schema, host, log) });
  const local = ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", local, (failure, bound) => (failure ? reject(failure) : resolve(bound)));
  });
  return { port, stop: () => server.forceShutdown() };
}

function handlersOf(provider: Provider, schema: object, host: Host, log: EngineLog) {
  const hooks = new ResourceHooks(Object.values(provider.resources), host, log);
  return {
    handshake: answer(async () =>
      new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setSupportsAutonamingConfiguration(true),
    ),
    getPluginInfo: answer(async () => new PluginInfo().setVersion(provider.version)),
    getSchema: answer(async () => new messages.GetSchemaResponse().setSchema(JSON.stringify(schema))),
    checkConfig: answer((request: messages.CheckRequest) => checkConfiguration(provider, request, host.tell)),
    diffConfig: answer(async (request: messages.DiffRequest) => compareConfiguration(request)),
    configure: answer(async (request: messages.ConfigureRequest) => {
      host.configure(readConfiguration(provider, request));
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportsAutonamingConfiguration(true);
    }),
    check: answer((request: messages.CheckRequest) => hooks.check(request)),
    diff: answer((request: messages.DiffRequest) => hooks.diff(request)),
    create: answer((request: messages.CreateRequest) => hooks.create(request)),
    read: answer((request: messages.ReadRequest) => hooks.read(request)),
    update: answer((request: messages.UpdateRequest) => hooks.update(request)),
    delete: answer((request: messages.DeleteRequest) => hooks.delete(request).then(() => new Empty())),
    invoke: answer((request: messages.InvokeRequest) => invoke(request, provider.functions, host)),
    cancel: answer(async () => {
      host.cancel();
      return new Empty();
    }),
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

/** Runs a data function. The result of secret arguments is secret, and nothing of them is repeated. */
async function invoke(
  request: messages.InvokeRequest,
  functions: Provider["functions"],
  host: Host,
): Promise<messages.InvokeResponse> {
  const name = nameOfType(request.getTok());
  const lookup = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!lookup) throw new Error(`there is no function ${request.getTok()}`);
  const { values, secrets } = decode(request.getArgs());
  // An unknown argument must not be left out: that would be another question.
  const unknowns = Object.keys(values).filter((key) => hasUnknown(values[key]));
  if (unknowns.length > 0) throw new Error(`${name}: ${unknowns.join(", ")} is not known yet`);
  const isSecret = secrets.length > 0;
  const result = await ask(lookup, host.connection.service(), values, { isSecret, warn: host.tell.warn });
  return new messages.InvokeResponse().setReturn(encode(result, isSecret ? Object.keys(result) : []));
}
