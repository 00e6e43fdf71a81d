export type { Backdoor, Backdoors } from "./backdoor";
export { type Emulator, type EmulatorOptions, environmentOf, startEmulator } from "./emulator";
export type { Fault, FaultAction } from "./faults";
export type { JsonObject, WireObject } from "./json";
export type { DatasetFile } from "./lazyDatasets";
export { type Profile, profiles } from "./profiles";
export type { RateLimitOptions } from "./rateLimit";
export type { LoggedCall } from "./reply";
export { type ServeIo, type ServeValues, serve } from "./serve";
