import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { type Bag, isPartialCreate, type PartialCreate } from "../lifecycle";
import type { encode } from "./values";

/** Makes the engine keep an object with these properties as a partial resource. */
export interface Kept {
  readonly outputs: (state: object) => ReturnType<typeof encode>;
  readonly inputs: ReturnType<typeof encode>;
  /** Properties that may be left out if the object is too large. The next update then compares them as changed. */
  readonly omissible: readonly string[];
}

/**
 * The details are in a header, in base64. The engine reads up to 16 MiB of headers (grpc-go's default); a client in Node.js drops
 * a response whose headers, together, are longer than 64 KiB.
 */
const largestDetails = 40_000;

/**
 * A failure as the engine understands it: its message, without a stack.
 * @param kept what to record of an object that a create, or an update, left behind
 */
export function toServiceError(failure: unknown, kept?: Kept): ServiceError {
  if (isServiceError(failure)) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  const metadata = new Metadata();
  if (kept && isPartialCreate(failure)) metadata.set("grpc-status-details-bin", packLargest(failure, kept));
  const { UNKNOWN: code } = status;
  return Object.assign(new Error(message), { code, details: message, metadata });
}

/** As much of an object as a header holds. Without inputs in the details the engine records those that it sent. */
function packLargest(failure: PartialCreate, { outputs, inputs, omissible }: Kept): Buffer {
  const state = failure.state as Bag;
  const sizeOf = (name: string) => JSON.stringify(state[name] ?? null).length;
  const omitted = [...omissible].sort((a, b) => sizeOf(b) - sizeOf(a));
  let details = pack(failure, outputs(state), inputs);
  for (let count = 0; details.length > largestDetails && count <= omitted.length; count++) {
    const left = Object.entries(state).filter(([name]) => !omitted.slice(0, count).includes(name));
    details = pack(failure, outputs(Object.fromEntries(left)));
  }
  return details;
}

function pack({ id, message }: PartialCreate, outputs: Kept["inputs"], inputs?: Kept["inputs"]): Buffer {
  const detail = new ErrorResourceInitFailed().setId(id).setProperties(outputs).setInputs(inputs);
  detail.setReasonsList([message]);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const details = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([packed]);
  return Buffer.from(details.serializeBinary());
}

const isServiceError = (failure: unknown): failure is ServiceError =>
  failure instanceof Error && "metadata" in failure && "details" in failure;
