import { furtherExpressions } from "./further";
import { listExpressions } from "./lists";
import { textExpressions } from "./texts";
import { valueExpressions } from "./values";

/** Expressions and their values, in groups. */
export const expressions = { ...valueExpressions, ...textExpressions, ...listExpressions, ...furtherExpressions };
