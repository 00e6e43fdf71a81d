import { readState, type StackState } from "../../audit";

/** One token as a state records it. */
export interface RecordedToken {
  readonly name: string;
  readonly id?: string;
  /** Beside a name that the program chose. For a generated one: `generatedFrom`. */
  readonly inputs?: Record<string, unknown>;
  /** Beside the inputs. */
  readonly outputs?: Record<string, unknown>;
  /** Of the record in the outputs: a token that this resource created. */
  readonly record?: Record<string, unknown>;
  /** Further members of the resource. */
  readonly more?: Record<string, unknown>;
}

export interface RecordedStack {
  readonly stack?: string;
  readonly tokens?: readonly RecordedToken[];
  /** Creates that did not finish. */
  readonly pending?: readonly RecordedToken[];
  /** Resources of other types, as the engine records them. */
  readonly others?: readonly object[];
}

export const baseUrl = "https://api.example.com";

/** The evidence of the account that the tests audit. */
export const credential = "0a0a0a0a0a0a";

/** A recorded proof of an account: its text in a state. */
export const evidenceOf = (proof: string | undefined, beside: readonly string[] = []) =>
  proof === undefined ? undefined : [proof, ...beside].join(" ");

/** An encrypted value, as the engine writes it. */
export const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

/** Inputs with a name that was generated for the resource with this key. */
export const generatedFrom = (key: string) => ({ key, chosenName: undefined });

const resource = (stack: string, { name, id, inputs, outputs, record, more = {} }: RecordedToken) => {
  const declared = { __provider: "module.exports=…", key: name, name, chosenName: true, ...inputs };
  const { evidence = "", ...known } = { evidence: credential, ...declared, token: encrypted, record, ...outputs };
  return {
    urn: `urn:pulumi:${stack}::web::pulumi-nodejs:event-datasets:ApiToken::${name}`,
    custom: true,
    type: "pulumi-nodejs:event-datasets:ApiToken",
    ...(id !== undefined && { id, outputs: { ...known, key: `${known.key}|${evidence}` } }),
    inputs: declared,
    ...more,
  };
};

/** A state as `pulumi stack export` prints it; the tests of the engine compare with real ones. */
export const exportOf = ({ stack = "prod", tokens = [], pending = [], others = [] }: RecordedStack) => ({
  version: 3,
  deployment: {
    manifest: { time: "2026-11-21T12:00:00Z" },
    resources: [
      { urn: `urn:pulumi:${stack}::web::pulumi:pulumi:Stack::web-${stack}`, type: "pulumi:pulumi:Stack" },
      ...tokens.map((token) => resource(stack, token)),
      ...others,
    ],
    ...(pending.length === 0
      ? {}
      : { pending_operations: pending.map((token) => ({ resource: resource(stack, token), type: "creating" })) }),
  },
});

/** Through JSON, as every state comes: what is undefined is not there. */
export const stackOf = (recorded: RecordedStack): StackState =>
  readState(JSON.parse(JSON.stringify(exportOf(recorded))), recorded.stack ?? "prod");
