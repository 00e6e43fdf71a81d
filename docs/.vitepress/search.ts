/** Words of a question that say nothing about what is looked for. The site runs this function from its text. */
const processTerm = (term: string): string | null =>
  /^(a|an|and|as|at|by|do|does|for|from|how|i|in|is|it|my|of|on|or|that|the|this|to|what|where|why|with)$/i.test(term)
    ? null
    : term.toLowerCase().replaceAll("_", "");

/** Keeps a name in one piece, so that `expires_in` finds `expiresIn`. */
const tokenize = (text: string): string[] => text.split(/[^\p{L}\p{N}_]+/u);

/**
 * A guide answers more questions than a list of exports or of functions, which names nearly every word. The page that explains an
 * argument comes before those that mention it.
 */
const boostDocument = (page: string): number =>
  /\/(reference\/api\/|queryLanguage\.)/.test(page) ? 0.2 : /\/reference\/resources\./.test(page) ? 2 : 1;

export const search = {
  provider: "local",
  options: { miniSearch: { options: { processTerm, tokenize }, searchOptions: { boostDocument } } },
} as const;
