import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { isPartialCreate, type PartialCreate } from "../lifecycle";
import type { encode } from "./properties";

/** Makes the engine keep an object with these properties as a partial resource. */
export interface Kept {
  readonly outputs: (state: object) => ReturnType<typeof encode>;
  readonly inputs: ReturnType<typeof encode>;
}

/**
 * A failure as the engine understands it: its message, without a stack. The details are in a header, of which the engine reads up to
 * 16 MiB (grpc-go's default).
 * @param kept what to record of an object that a create, or an update, left behind
 */
export function toServiceError(failure: unknown, kept?: Kept): ServiceError {
  if (isServiceError(failure)) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  const metadata = new Metadata();
  if (kept && isPartialCreate(failure)) metadata.set("grpc-status-details-bin", pack(failure, kept));
  const { UNKNOWN: code } = status;
  return Object.assign(new Error(message), { code, details: message, metadata });
}

function pack({ id, message, state }: PartialCreate, { outputs, inputs }: Kept): Buffer {
  const detail = new ErrorResourceInitFailed().setId(id).setProperties(outputs(state)).setInputs(inputs);
  detail.setReasonsList([message]);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const details = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([packed]);
  return Buffer.from(details.serializeBinary());
}

const isServiceError = (failure: unknown): failure is ServiceError =>
  failure instanceof Error && "metadata" in failure && "details" in failure;
