import { generatedFrom, type RecordedStack } from "../support/states";

/** How a stack, of whichever tool, is related to a live token. */
export interface Relation extends Omit<RecordedStack, "stack"> {
  /** Its program has the token, or uses it. Absent: nobody has its secret, or nothing is known. */
  readonly use?: "declared" | "used";
  readonly name?: string;
  /** A resource in a Terraform state. */
  readonly terraform?: object;
  /** The create of the token did not finish, so nobody has received its secret. */
  readonly isLost?: true;
}

const nameOf = (id: string) => `${id}-0a1b2c3`;
const replacedBy = (id: string, ends?: "later") => [
  { id: `${id}next`, name: "next", record: { replaced: [{ id, ends }] } },
];
const declaredWith =
  (more: object) =>
  (id: string): Relation => ({ use: "declared", tokens: [{ id, name: id, ...more }] });
const foreign =
  (type: string, use: Relation["use"], more: object = {}) =>
  (id: string): Relation => ({
    ...(use && { use }),
    others: [{ urn: `urn:pulumi:prod::web::${type}::${id}`, type, custom: true, id, ...more }],
  });

const axiomToken =
  (use: Relation["use"], more: object = {}, mode = "managed") =>
  (id: string): Relation => ({
    ...(use && { use }),
    terraform: { mode, type: "axiom_token", name: id, provider: "axiom", instances: [{ attributes: { id }, ...more }] },
  });

export const relations: readonly ((id: string) => Relation)[] = [
  declaredWith({}),
  declaredWith({ outputs: { incomplete: "its secret never arrived" } }),
  declaredWith({ more: { pendingReplacement: true } }),
  (id) => ({ use: "declared", name: nameOf(id), tokens: [{ id, name: nameOf(id), inputs: generatedFrom(id) }] }),
  // Another tool in a Pulumi program, and a provider that somebody wrote.
  foreign("axiom:index/token:Token", "declared"),
  foreign("pulumi-nodejs:dynamic:Resource", "declared", { pendingReplacement: true }),
  foreign("axiom:index/token:Token", undefined, { external: true }),
  axiomToken("declared"),
  axiomToken("declared", { status: "tainted" }),
  axiomToken("declared", { deposed: "0a1b2c3d" }),
  axiomToken(undefined, {}, "data"),
  // Its create did not finish, and Terraform imported the token.
  (id) => ({
    ...axiomToken("declared")(id),
    name: nameOf(id),
    pending: [{ name: nameOf(id), inputs: generatedFrom(id) }],
  }),
  // Its create did not finish, and then a person or another tool took the token.
  (id) => ({
    ...foreign("axiom:index/token:Token", "declared")(id),
    name: nameOf(id),
    pending: [{ name: nameOf(id), inputs: generatedFrom(id) }],
  }),
  (id) => ({ use: "used", tokens: [{ id, name: id, more: { delete: true } }] }),
  (id) => ({ use: "used", tokens: [{ id, name: id, more: { external: true } }] }),
  (id) => ({ use: "used", tokens: replacedBy(id, "later") }),
  (id) => ({ use: "used", tokens: replacedBy(id) }),
  // The program chose the name of a create that did not finish.
  (id) => ({ name: id, pending: [{ name: id }] }),
  () => ({}),
];

/** Nobody has the secret of the token that its create left behind. */
export const lost = (id: string): Relation => ({
  isLost: true,
  name: nameOf(id),
  pending: [{ name: nameOf(id), inputs: generatedFrom(id) }],
});
