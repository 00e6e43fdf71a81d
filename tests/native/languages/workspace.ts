import path from "node:path";
import type { Emulator } from "../../../emulator";
import { EventDatasets, type MintedToken, type TokenSpec } from "../../../sdk";
import { createDeployment, type Deployment } from "../../support/deployment";
import type { WorkspaceOptions } from "../../support/engine";
import { pluginFolder } from "../../support/forms";

/** A program in a language of its own, with the plugin on PATH and the service in the `extended` profile. */
export const createNativeDeployment = ({ env, ...options }: WorkspaceOptions): Promise<Deployment> =>
  createDeployment({
    ...options,
    serviceOptions: { profile: "extended" },
    env: {
      PATH: [pluginFolder, process.env.PATH].join(path.delimiter),
      EVENT_DATASETS_PROFILE: "extended",
      ...env,
    },
  });

/** A token that no stack manages. */
export async function makeByHand({ url, rootToken }: Emulator, spec: TokenSpec): Promise<MintedToken> {
  await using client = new EventDatasets({ baseUrl: url, accessToken: rootToken, profile: "extended" });
  return await client.tokens.create(spec);
}
