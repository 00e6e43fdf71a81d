import { afterAll, beforeAll } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { startTemporaryEmulator } from "../support/deployment";
import { type Plugin, secret, startPlugin } from "./plugin";

/** A plugin of its own for a suite, on a service of its own in the `extended` profile. */
export function usePlugin(env: Readonly<Record<string, string>> = {}) {
  const used = {} as { service: Emulator; plugin: Plugin };
  beforeAll(async () => {
    used.service = await startTemporaryEmulator({ profile: "extended" });
    used.plugin = await startPlugin(env);
    const { url: baseUrl, rootToken } = used.service;
    await used.plugin.configure({ baseUrl, accessToken: secret(rootToken), profile: "extended" });
  });
  afterAll(async () => {
    await used.plugin[Symbol.asyncDispose]();
    await used.service[Symbol.asyncDispose]();
  });
  return used;
}
