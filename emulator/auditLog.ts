import type { JsonObject } from "./json";
import type { AuditEntry, Handler } from "./routing";

/** A dataset of every organization (extended interface, "axiom-audit"). */
export const auditDataset = "axiom-audit";

/**
 * The shapes of an event. Only the field `action` is documented, so there are two shapes: a reader that works with both does
 * not rely on guessed names of the other fields.
 */
export const auditShapes = {
  flat: ({ action, id, name, actor }: AuditEntry): JsonObject => ({
    action,
    "actor.name": actor,
    "resource.id": id,
    "resource.name": name,
  }),
  nested: ({ action, id, name, actor }: AuditEntry): JsonObject => ({
    action,
    actor: { email: `${actor}@example.com` },
    changes: [{ path: `/v2/tokens/${String(id)}`, token: { label: name } }],
  }),
} as const;

export type AuditShape = keyof typeof auditShapes;

/** A handler whose success is written into the audit log, if the service keeps one. */
export const audited =
  (action: string, handler: Handler): Handler =>
  async (service, call) => {
    const { id = "" } = call.params;
    const before = service.audit && id !== "" ? service.store.get("token", id) : undefined;
    const result = await handler(service, call);
    const shown = { ...before, ...(result.body as JsonObject | undefined) };
    await service.audit?.({ action, id: shown.id, name: shown.name, actor: call.caller.name ?? "root" });
    return result;
  };
