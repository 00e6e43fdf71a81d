import type { AuditEntry, JsonObject } from "../../emulator";

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
