/** The values of an answer, row by row. */
export type Values = readonly unknown[];

/** A piece of a query, and its result. */
export type Case<Result> = readonly (readonly [text: string, result: Result])[];

/** Cases in groups. The name of a group is its rule. */
export type Groups<Result> = Readonly<Record<string, Case<Result>>>;
