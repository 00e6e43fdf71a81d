import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";

/**
 * A failure in the form that the engine understands: its message, without a stack. The details are in a header, of which the
 * engine reads up to 16 MiB (the default of grpc-go).
 * @param kept an object that a create, or an update, left behind: the engine keeps it as a partial resource
 */
export function toServiceError(failure: unknown, kept?: ErrorResourceInitFailed): ServiceError {
  if (isServiceError(failure)) return failure;
  const message = failure instanceof Error ? failure.message : String(failure);
  const metadata = new Metadata();
  if (kept) metadata.set("grpc-status-details-bin", pack(message, kept));
  const { UNKNOWN: code } = status;
  return Object.assign(new Error(message), { code, details: message, metadata });
}

function pack(message: string, kept: ErrorResourceInitFailed): Buffer {
  const packed = new Any();
  packed.pack(kept.setReasonsList([message]).serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const details = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([packed]);
  return Buffer.from(details.serializeBinary());
}

const isServiceError = (failure: unknown): failure is ServiceError =>
  failure instanceof Error && "metadata" in failure && "details" in failure;
