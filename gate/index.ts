export { type Durations, judgeDurations } from "./durations";
export { evaluate, type GateHost, type GateOutcome, type GateProgress, type GateQuestion } from "./evaluation";
export type { Bounds, GateValue } from "./expectation";
export { findMissingField } from "./messages";
