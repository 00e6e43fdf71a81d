export * from "./objects";
export * from "./queries";
