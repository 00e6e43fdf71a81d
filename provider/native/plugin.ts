import type { AnyLookup } from "../../framework/functions";
import { Host } from "../../framework/host";
import { EngineLog } from "../../framework/native/engineLog";
import { type Plugin, serve } from "../../framework/native/server";
import { Update } from "../../framework/update";
import schema from "../../schema.json";
import { type EventDatasets, version } from "../../sdk";
import { connectAccounts, type Hosted, type Planning, type Service } from "../account/connection";
import { hostedAnnotation } from "../annotation/lifecycle";
import { hostedApiToken } from "../apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../deploymentAnnotation/lifecycle";
import { type FunctionName, lookups, type ResourceName } from "../nouns";
import { hostedQueryGate } from "../queryGate/lifecycle";
import { thisPackage } from "../strings";

/** The resources by name: a noun without a lifecycle does not compile. */
const resources = {
  ApiToken: hostedApiToken,
  Annotation: hostedAnnotation,
  DeploymentAnnotation: hostedDeploymentAnnotation,
  QueryGate: hostedQueryGate,
} as const satisfies Record<ResourceName, Hosted>;

const functions: Readonly<Record<FunctionName, AnyLookup<object, EventDatasets>>> = lookups;

const plugin: Plugin<Planning, Service, EventDatasets> = {
  own: thisPackage,
  version,
  schema,
  resources: Object.values(resources),
  functions: Object.values(functions),
  clientOf: ({ client }) => client,
};

/**
 * Serves the provider to the engine.
 * @param engine the engine's address; undefined: nobody to tell anything
 */
export function servePlugin(
  engine: string | undefined,
  log = new EngineLog(engine),
  host = new Host(connectAccounts(), log.about(""), new Update()),
): ReturnType<typeof serve> {
  return serve(plugin, host, log);
}
