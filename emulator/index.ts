import "./checkNode";

export type { Backdoor, Backdoors } from "./backdoor";
export { type DatasetFile, type Emulator, type EmulatorOptions, environmentOf, startEmulator } from "./emulator";
export type { Fault, FaultAction } from "./faults";
export type { JsonObject, WireObject } from "./json";
export { type Profile, profiles } from "./profiles";
export type { RateLimitOptions } from "./rateLimit";
export type { AuditEntry } from "./routing";
export type { LoggedCall } from "./server";
