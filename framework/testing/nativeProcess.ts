import { randomUUID } from "node:crypto";
import type { EngineLog } from "../engineLog";
import type { Host } from "../host";
import type { Bag } from "../lifecycle";
import { serve } from "../native/server";
import { nativeToken } from "../package";
import type { Provider } from "../provider";
import { connectPlugin } from "./pluginCalls";
import type { Process } from "./process";

/** The process of a plugin: its server in this process, spoken to as the engine does. */
export async function nativeProcess(provider: Provider, settings: Bag, log: EngineLog, host: Host): Promise<Process> {
  const { port, stop } = await serve(provider, {}, undefined, log, host);
  const plugin = connectPlugin(port);
  await plugin.configure(settings);
  const ofCommand = randomUUID();
  return {
    tokenOf: ({ name }) => nativeToken(provider, name),
    declare: (_about, args) => args,
    // The seed is the same for all checks of a resource in one command.
    check: ({ urn }, olds, news) => plugin.check(urn, news, { olds, seed: `${ofCommand} ${urn}` }),
    diff: ({ urn }, { id, inputs, outputs }, news) => plugin.diff(urn, id, outputs, news, inputs),
    create: ({ urn }, inputs, isPreview) => plugin.create(urn, inputs, isPreview),
    async read({ urn }, { id, inputs, outputs }) {
      const found = await plugin.read(urn, id, outputs, inputs);
      return found.id === "" ? undefined : found;
    },
    update: ({ urn }, { id, inputs, outputs }, news, isPreview) =>
      plugin.update(urn, id, outputs, news, isPreview, inputs),
    delete: ({ urn }, { id, outputs }) => plugin.delete(urn, id, outputs),
    async close() {
      plugin.close();
      stop();
    },
  };
}
