import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Bag } from "../lifecycle";
import { PartialFailure } from "./process";

/** The members of a request to `check` beside the inputs. */
export interface CheckOptions {
  readonly olds?: Bag | undefined;
  readonly seed?: string;
  /** The name that a pattern of `pulumi:autonaming` makes. */
  readonly proposed?: string;
}

export type PluginCalls = ReturnType<typeof connectPlugin>;

/** The calls of a plugin that listens on a port, as the engine makes them. */
export function connectPlugin(port: number) {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return {
    close: () => client.close(),
    ...callsOfProvider(client),
    ...callsOfResources(client),
  };
}

const callsOfProvider = (client: ResourceProviderClient) => ({
  async configure(args: Bag) {
    const request = new messages.ConfigureRequest().setArgs(struct(args)).setAcceptsecrets(true);
    await ask<messages.ConfigureResponse>((done) => client.configure(request, done));
  },
  /** @param urn of the provider */
  async checkConfig(urn: string, news: Bag) {
    const request = new messages.CheckRequest().setUrn(urn).setNews(struct(news));
    return readCheck(await ask<messages.CheckResponse>((done) => client.checkConfig(request, done)));
  },
  async diffConfig(olds: Bag, news: Bag) {
    const request = new messages.DiffRequest().setOldInputs(struct(olds)).setOlds(struct(olds)).setNews(struct(news));
    return readDiff(await ask<messages.DiffResponse>((done) => client.diffConfig(request, done)));
  },
  async invoke(token: string, args: Bag) {
    const request = new messages.InvokeRequest().setTok(token).setArgs(struct(args));
    return plain((await ask<messages.InvokeResponse>((done) => client.invoke(request, done))).getReturn());
  },
  async cancel() {
    await ask<Empty>((done) => client.cancel(new Empty(), done));
  },
  async schema(): Promise<Bag> {
    const request = new messages.GetSchemaRequest();
    return JSON.parse((await ask<messages.GetSchemaResponse>((done) => client.getSchema(request, done))).getSchema());
  },
});

const callsOfResources = (client: ResourceProviderClient) => ({
  async check(urn: string, news: Bag, { olds, seed = "seed", proposed }: CheckOptions = {}) {
    const request = new messages.CheckRequest().setUrn(urn).setNews(struct(news)).setOlds(struct(olds));
    request.setRandomseed(Buffer.from(seed));
    if (proposed !== undefined)
      request.setAutonaming(new messages.CheckRequest.AutonamingOptions().setProposedName(proposed));
    return readCheck(await ask<messages.CheckResponse>((done) => client.check(request, done)));
  },
  async diff(urn: string, id: string, olds: Bag, news: Bag, oldInputs?: Bag) {
    const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
    request.setOldInputs(struct(oldInputs ?? news));
    return readDiff(await ask<messages.DiffResponse>((done) => client.diff(request, done)));
  },
  /** @throws PartialFailure if an object is left behind */
  async create(urn: string, inputs: Bag, isPreview = false) {
    const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs)).setPreview(isPreview);
    const response = await ask<messages.CreateResponse>((done) => client.create(request, done));
    return { id: response.getId(), outputs: plain(response.getProperties()) };
  },
  async read(urn: string, id: string, outputs?: Bag, inputs?: Bag) {
    const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(struct(outputs));
    request.setInputs(struct(inputs));
    const response = await ask<messages.ReadResponse>((done) => client.read(request, done));
    return { id: response.getId(), outputs: plain(response.getProperties()), inputs: plain(response.getInputs()) };
  },
  /** @throws PartialFailure if the object is left behind in another state */
  async update(urn: string, id: string, olds: Bag, news: Bag, isPreview = false, oldInputs: Bag = {}) {
    const request = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
    request.setPreview(isPreview).setOldInputs(struct(oldInputs));
    const response = await ask<messages.UpdateResponse>((done) => client.update(request, done));
    return plain(response.getProperties());
  },
  async delete(urn: string, id: string, outputs: Bag) {
    const request = new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(outputs));
    await ask<Empty>((done) => client.delete(request, done));
  },
});

const struct = (values: Bag | undefined) => Struct.fromJavaScript((values ?? {}) as Record<string, JavaScriptValue>);
const plain = (values: Struct | undefined) => (values?.toJavaScript() ?? {}) as Bag;

type Done<Response> = (failure: ServiceError | null, response: Response) => void;

/** One call, to its end. */
const ask = <Response>(send: (done: Done<Response>) => unknown) =>
  new Promise<Response>((resolve, reject) => {
    send((failure, response) => (failure ? reject(readFailure(failure)) : resolve(response)));
  });

const readCheck = (response: messages.CheckResponse) => ({
  inputs: plain(response.getInputs()),
  reasons: response.getFailuresList().map((failure) => failure.getReason()),
});

const kinds = ["add", "add, replace", "delete", "delete, replace", "update", "update, replace"] as const;

function readDiff(response: messages.DiffResponse) {
  const detailed: Record<string, string> = {};
  response.getDetaileddiffMap().forEach((difference: messages.PropertyDiff, key: string) => {
    detailed[key] = String(kinds[difference.getKind()]);
  });
  return {
    changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
    replaces: response.getReplacesList(),
    changed: response.getDiffsList(),
    detailed,
  };
}

/** A failure as the engine shows it: without the status of the call. */
function readFailure(failure: ServiceError): Error {
  const [details] = failure.metadata.get("grpc-status-details-bin");
  if (!(details instanceof Buffer)) return new Error(failure.details);
  const [packed] = Status.deserializeBinary(new Uint8Array(details)).getDetailsList();
  const kept = packed?.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  if (!kept) return new Error("a failure with details of another kind");
  return new PartialFailure(failure.details, kept.getId(), plain(kept.getProperties()), plain(kept.getInputs()));
}
