import { readState, type StackState } from "../../audit";

/** One token as a state records it. */
export interface RecordedToken {
  readonly name: string;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  /** Further members of the resource. */
  readonly more?: Record<string, unknown>;
}

export interface RecordedStack {
  readonly stack?: string;
  readonly tokens?: readonly RecordedToken[];
  /** Creates that did not finish. */
  readonly pending?: readonly RecordedToken[];
}

export const baseUrl = "https://api.example.com";

/** An encrypted value, as the engine writes it. */
export const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

const resource = (stack: string, { name, id, inputs = {}, outputs = {}, more = {} }: RecordedToken) => {
  const declared = { __provider: "exports.handler=…", name, ...inputs };
  return {
    urn: `urn:pulumi:${stack}::web::pulumi-nodejs:event-datasets:ApiToken::${name}`,
    custom: true,
    type: "pulumi-nodejs:event-datasets:ApiToken",
    ...(id === undefined ? {} : { id, outputs: { ...declared, baseUrl, token: encrypted, ...outputs } }),
    inputs: declared,
    ...more,
  };
};

/** A state as `pulumi stack export` prints it; the tests of the engine compare with real ones. */
export const exportOf = ({ stack = "prod", tokens = [], pending = [] }: RecordedStack) => ({
  version: 3,
  deployment: {
    manifest: { time: "2026-11-21T12:00:00Z" },
    resources: [
      { urn: `urn:pulumi:${stack}::web::pulumi:pulumi:Stack::web-${stack}`, type: "pulumi:pulumi:Stack" },
      ...tokens.map((token) => resource(stack, token)),
    ],
    ...(pending.length === 0
      ? {}
      : { pending_operations: pending.map((token) => ({ resource: resource(stack, token), type: "creating" })) }),
  },
});

/** Through JSON, as every state comes: what is undefined is not there. */
export const stackOf = (recorded: RecordedStack): StackState =>
  readState(JSON.parse(JSON.stringify(exportOf(recorded))), recorded.stack ?? "prod");
