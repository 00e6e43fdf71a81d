import type { JsonObject } from "./json";
import type { Handler } from "./routing";

/** A dataset of every organization (extended interface, "axiom-audit"). */
export const auditDataset = "axiom-audit";

/** A handler whose success is written to the audit log, if the service keeps one. */
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
