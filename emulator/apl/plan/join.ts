import type { OperatorOf } from "../ast";
import { ownName } from "../nodes";
import { unifySides } from "./compare";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { Namer } from "./naming";
import { type Column, fullOrder, multiply, orderBy, type Relation, unknownIn } from "./relation";
import { scopeOf } from "./scope";

/** The kinds that only keep rows of one side: those with a match on the other side, or those without one. */
const filterKinds: Readonly<Record<string, { readonly side: "left" | "right"; readonly exists: string }>> = {
  leftanti: { side: "left", exists: "NOT EXISTS" },
  rightanti: { side: "right", exists: "NOT EXISTS" },
  leftsemi: { side: "left", exists: "EXISTS" },
  rightsemi: { side: "right", exists: "EXISTS" },
};

/** The supported kinds, according to the language's reference. */
const joinKinds = {
  join: ["inner", "innerunique", "leftouter", ...Object.keys(filterKinds)],
  lookup: ["leftouter", "inner"],
} as const;

/** Joins the rows of two pipelines whose keys are equal. A null equals nothing. */
export function joinRows(
  context: Context,
  left: Relation,
  right: Relation,
  node: OperatorOf<"join" | "lookup">,
): Relation {
  const kinds: readonly string[] = joinKinds[node.kind];
  if (!kinds.includes(node.how))
    context.fail("unsupported", `${node.kind} kind=${node.how} is not supported by the emulator`, node.at);
  const conditions = node.on.map((condition) => {
    const swapped = condition.left.side === "right" || condition.right.side === "left";
    const [a, b] = swapped ? [condition.right, condition.left] : [condition.left, condition.right];
    const x = planExpression(context, scopeOf(left), a.value);
    const keys = unifySides(x, planExpression(context, scopeOf(right), b.value));
    return { keys, name: ownName(b.value) };
  });
  const sideOf = (input: Relation, side: 0 | 1) =>
    withKeys(
      context,
      input,
      conditions.map(({ keys }) => keys[side]),
    );
  const [leftRows, rightRows] = [sideOf(left, 0), sideOf(right, 1)];
  const filter = filterKinds[node.how];
  if (filter) {
    const [kept, other, input] = filter.side === "left" ? [leftRows, rightRows, left] : [rightRows, leftRows, right];
    const same = kept.keys.map((key, i) => `k.${key} = o.${other.keys[i]}`).join(" AND ");
    const match = `${filter.exists} (SELECT 1 FROM ${other.from} o WHERE ${same})`;
    return { ...input, from: context.addStep(`SELECT * FROM ${kept.from} k WHERE ${match}`) };
  }
  const matching = node.how === "innerunique" ? firstOfEach(context, right, rightRows) : rightRows;
  const on = leftRows.keys.map((key, i) => `l.${key} = r.${matching.keys[i]}`).join(" AND ");
  // A lookup adds the columns that are not keys.
  const keyNames = new Set(node.kind === "lookup" ? conditions.map(({ name }) => name) : []);
  const namer = new Namer(left.columns);
  const brought = right.columns
    .filter(({ name }) => !keyNames.has(name) && !(node.kind === "lookup" && isSystem(name)))
    .map((column) => ({ from: column, to: { ...column, name: namer.freeName(column.name), sql: context.newName() } }));
  const selects = ["l.*", ...brought.map(({ from, to }) => `r.${from.sql} AS ${to.sql}`)];
  const join = node.how === "leftouter" ? "LEFT JOIN" : "JOIN";
  const order = context.newName();
  const from = context.addStep(
    `SELECT ${selects.join(", ")}, ${matching.place} AS ${order} FROM ${leftRows.from} l ${join} ${matching.from} r ON ${on}`,
  );
  return {
    ...multiply(left, order),
    from,
    columns: [...left.columns, ...brought.map(({ to }): Column => ({ ...to, isNumber: false }))],
    unknown: unknownIn([left, right]),
    summary: false,
  };
}

const isSystem = (name: string) => name === "_time" || name === "_sysTime";

interface Keyed {
  readonly from: string;
  readonly keys: readonly string[];
  /** SQL of a row's position, to distinguish matches. */
  readonly place: string;
}

function withKeys(context: Context, input: Relation, values: readonly string[]): Keyed {
  const keys = values.map(() => context.newName());
  const place = context.newName();
  const list = values.map((sql, i) => `${sql} AS ${keys[i]}`).join(", ");
  const number = `row_number() OVER (${orderBy(fullOrder(input))}) AS ${place}`;
  return { from: context.addStep(`SELECT *, ${list}, ${number} FROM ${input.from}`), keys, place: `r.${place}` };
}

function firstOfEach(context: Context, input: Relation, { from, keys, place }: Keyed): Keyed {
  const first = `row_number() OVER (PARTITION BY ${keys.join(", ")}${orderBy(fullOrder(input))}) = 1`;
  return { from: context.addStep(`SELECT * FROM ${from} QUALIFY ${first}`), keys, place };
}
