import { declareMissingTokens } from "./tokens.js";

const declared = await declareMissingTokens(["web", "api"]);

export const names = declared.map(({ name }) => name);
