import type { shells } from "../manuals/completion";
import { bash } from "./bash";
import { fish } from "./fish";
import { zsh } from "./zsh";

/** The generators of the completion scripts. */
export const scripts = { bash, fish, zsh } as const satisfies Record<(typeof shells)[number], () => string>;
