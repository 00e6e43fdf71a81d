import type { shells } from "../manuals/completion";
import { bash } from "./bash";
import { fish } from "./fish";
import { zsh } from "./zsh";

/** What makes the script of each shell, from the manuals of the commands. */
export const scripts = { bash, fish, zsh } as const satisfies Record<(typeof shells)[number], () => string>;
