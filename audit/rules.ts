/** How much a finding weighs; `note` never fails an audit. */
export const severities = ["error", "warning", "note"] as const;

export type Severity = (typeof severities)[number];

interface Rule {
  readonly severity: Severity;
  /** What a finding of this rule says, in a few words. */
  readonly title: string;
  /** Exactly when there is one, in Markdown: the column of the table in `docs/audit.md`. */
  readonly when: string;
  /** What it means and what to do about it. */
  readonly help: string;
}

/**
 * Every rule there is, the gravest first. Their ids are permanent: policies, baselines and dashboards name them. The
 * published schemas and `docs/audit.md` are made from this list: `node scripts/auditRules.mjs`.
 */
export const rules = {
  missing: {
    severity: "error",
    title: "A declared token is not live",
    when: "declared, not live",
    help: "A stack declares this token, but the service does not list it: somebody revoked it, and whatever uses it has stopped working. Run pulumi refresh and pulumi up to make it anew, or remove it from the program.",
  },
  escalated: {
    severity: "error",
    title: "A declared token gained rights",
    when: "live with a capability or an expiry that goes beyond what is declared",
    help: "The live token has a capability that is not declared, or stays valid longer than declared. Find out who changed it; pulumi refresh and pulumi up replace it by the declared one.",
  },
  undeclared: {
    severity: "error",
    title: "A live token is declared nowhere",
    when: "live, declared by no audited stack (looking a token up with `ApiToken.get` declares nothing)",
    help: "None of the audited stacks declares this token. Declare it, revoke it, or allow it in the policy file with an owner, a reason and an end date.",
  },
  orphaned: {
    severity: "error",
    title: "A live token was left behind",
    when: "live and tracked by no stack, but made by one: named by an unfinished create, or by a declared resource's generated names (`<logical name>-<7 hex digits>`)",
    help: "A create of an audited stack made this token, or its name says so, but no stack tracks it: an update was killed, or the token was replaced where tokens cannot be revoked. Nobody needs it: revoke it, or allow it by its id until it expires.",
  },
  "long-lived": {
    severity: "error",
    title: "A token stays valid longer than the policy allows",
    when: "expires later than the policy's `maxLifetime` from now; without such a limit never",
    help: "The token's expiry is further away than the policy's maxLifetime. The service does not say when a token was made, so the time from now on is what counts.",
  },
  changed: {
    severity: "warning",
    title: "A declared token was changed",
    when: "live, differs from what is declared, without more rights",
    help: "The live token differs from what is declared, without more rights. pulumi refresh and pulumi up replace it by the declared one.",
  },
  "over-privileged": {
    severity: "warning",
    title: "A token holds a restricted capability",
    when: "holds an organisation capability that the policy restricts",
    help: "The policy says who may hold this capability, and this token is not among them. Take the capability away, or name the token as a holder.",
  },
  "never-expires": {
    severity: "warning",
    title: "A token never expires",
    when: "live without an expiry",
    help: "The token has no expiry: should its secret leak, it stays valid until somebody revokes it. Declare an expiresAt.",
  },
  expired: {
    severity: "warning",
    title: "A token has expired",
    when: "listed, but expired (more than 5 minutes ago, since clocks differ); not reported as undeclared too",
    help: "The token no longer works. Declare a later expiry, or remove it.",
  },
  expiring: {
    severity: "warning",
    title: "A token is about to expire",
    when: "expires within `--expiring-within` (default `14d`)",
    help: "Whatever uses the token stops working soon. Declare a later expiry; the next pulumi up makes a new token.",
  },
  "duplicate-name": {
    severity: "warning",
    title: "Several live tokens have one name",
    when: "several live tokens of one name",
    help: "A lookup by this name is ambiguous, and nobody can tell the tokens apart. Revoke those that are not needed, or leave the name to be made.",
  },
  pending: {
    severity: "warning",
    title: "The creation of a token did not finish",
    when: "a create that did not finish and left no token, or one whose secret never arrived",
    help: "An update was interrupted while it created this token. The next pulumi up creates it again; pulumi refresh clears what is left of the interrupted one.",
  },
  elsewhere: {
    severity: "note",
    title: "A token is declared on another service",
    when: "recorded on another service, and not live on this one: audit that one too. If that is true of _all_ declared tokens, the base URL is wrong: exit code 2",
    help: "The stack recorded another base URL for this token, so the audited service says nothing about it. Audit that service too, with its own credential.",
  },
  unknown: {
    severity: "note",
    title: "A value could not be compared",
    when: "could not be compared: encrypted in the state, or an expiry that is not a valid instant",
    help: "The declared value is encrypted in the state, which an audit does not decrypt, or the live value cannot be understood.",
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export const ruleIds = Object.keys(rules) as RuleId[];
