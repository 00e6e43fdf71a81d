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
 * published schemas and `docs/audit.md` are made from this list: `npm run generate`.
 */
export const rules = {
  missing: {
    severity: "error",
    title: "A declared token is not live",
    when: "declared, not live, and not expired",
    help: [
      "A stack declares this token, but the service does not list it: somebody revoked it, and",
      "whatever uses it has stopped working. Run pulumi refresh and pulumi up to make it anew, or",
      "remove it from the program.",
    ].join(" "),
  },
  escalated: {
    severity: "error",
    title: "A declared token gained rights",
    when: "live with a capability or an expiry that goes beyond what is declared, whoever granted it",
    help: [
      "The live token has a capability that is not declared, or stays valid longer than declared.",
      "Find out who changed it; pulumi refresh and pulumi up replace it by the declared one.",
    ].join(" "),
  },
  undeclared: {
    severity: "error",
    title: "A live token is declared nowhere",
    when: [
      "live, declared by no audited stack (looking a token up with `ApiToken.get` declares",
      "nothing), or more than its exception in the policy accepts",
    ].join(" "),
    help: [
      "None of the audited stacks declares this token. First name every stack of the account",
      "(--all-stacks): it may be of one that was left out. Then declare it (event-datasets tokens",
      "adopt --from), revoke it (tokens revoke --from), or allow it in the policy file with an",
      "owner, a reason, an end date and the rights that it may hold.",
    ].join(" "),
  },
  orphaned: {
    severity: "error",
    title: "A live token was left behind",
    when: "live, named by a create of an audited stack that did not finish, or made by one whose answer was lost and replaced since; tracked by no stack",
    help: [
      "An update of an audited stack was killed while it created a token of this name, or lost the",
      "answer, and no audited stack tracks this one. If the name was generated, nobody has its secret: revoke it",
      "(event-datasets tokens revoke --from), or allow it by its id until it expires. A name that",
      "your program chose may be that of another stack's token: audit all of them first",
      "(--all-stacks).",
    ].join(" "),
  },
  uncompared: {
    severity: "error",
    title: "Rights or an end that could not be compared",
    when: [
      "live with rights or an end that could not be compared: what is declared is encrypted in the",
      "state, or the answer of the service is odd there",
    ].join(" "),
    help: [
      "The live token holds rights or an end where nothing can be compared: what is declared is",
      "encrypted in the state, which an audit does not decrypt, or the service answered in an",
      "unknown shape. Declare capabilities and expiresAt without pulumi.secret: they are no",
      "secrets.",
    ].join(" "),
  },
  unproven: {
    severity: "error",
    title: "A declared token may be of another account",
    when: "declared, not live, and last seen with a credential that nothing proves to be of the audited account",
    help: [
      "The service does not list this token, which was last seen with another credential, and no",
      "token that was seen with that one is listed either: it was revoked, or it is of another",
      "account. Audit with the credential of its account, or tell accounts apart by",
      "EVENT_DATASETS_ACCOUNT.",
    ].join(" "),
  },
  "long-lived": {
    severity: "error",
    title: "A token stays valid longer than the policy allows",
    when: "expires later than the policy's `maxLifetime` from now, never, or at a time that cannot be read; without such a limit never",
    help: [
      "The token's expiry is further away than the policy's maxLifetime, there is none, or it",
      "cannot be read. The service does not say when a token was made, so the time from now on is",
      "what counts.",
    ].join(" "),
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
    when: "live without an expiry, or with the `0001-01-01T00:00:00Z` that stands for none",
    help: "The token has no expiry: should its secret leak, it stays valid until somebody revokes it. Declare an expiresAt.",
  },
  misnamed: {
    severity: "warning",
    title: "A token is not named as the policy wants it",
    when: "has a name that fits none of the policy's `names`; without such a list never",
    help: "The token's name fits none of the patterns of the policy's names. Declare another name, or add the pattern.",
  },
  expired: {
    severity: "warning",
    title: "A token has expired",
    when: "expired (more than 5 minutes ago, since clocks differ): listed all the same, or declared and no longer listed; not reported as undeclared or missing too",
    help: "The token no longer works. Declare a later expiry, or remove it.",
  },
  expiring: {
    severity: "warning",
    title: "A token is about to expire",
    when: [
      "expires within `--expiring-within` (default `14d`); a token with a rotation only if that is",
      "overdue: a day after it fell due, or after half of the time that was left then",
    ].join(" "),
    help: [
      "Whatever uses the token stops working soon. Declare a later expiry, or run pulumi up if its",
      "rotation is overdue: the update makes a new token.",
    ].join(" "),
  },
  "duplicate-name": {
    severity: "warning",
    title: "Several live tokens have one name",
    when: "several live tokens of one name",
    help: [
      "A lookup by this name is ambiguous, and nobody can tell the tokens apart. Revoke those that",
      "are not needed, or leave the name to be made.",
    ].join(" "),
  },
  pending: {
    severity: "warning",
    title: "The creation of a token did not finish",
    when: "a create that did not finish and left no token, or one whose secret never arrived",
    help: [
      "An update was interrupted while it created this token. The next pulumi up creates it again;",
      "pulumi refresh clears what is left of the interrupted one.",
    ].join(" "),
  },
  unjudged: {
    severity: "warning",
    title: "A planned token could not be judged",
    when: "of the [policy pack](policy.md) only, never of an audit: what a rule needs is not known before the update",
    help: [
      "The policy pack looks at tokens before they are made, and something that a rule needs is",
      "computed by the update, which is judged again before the token is made. No update can tell",
      "whether a new token is a holder by id, nor the end of an adopted token without expiresAt:",
      "for these the audit is the judge, unless this rule is an error.",
    ].join(" "),
  },
  elsewhere: {
    severity: "note",
    title: "A token is declared on another service",
    when: [
      "recorded on another service or under another `account`, and not live on this one: audit that",
      "one too. If _none_ of the declared tokens is here, the base URL or the credential is wrong:",
      "exit code 2",
    ].join(" "),
    help: [
      "The stack recorded another base URL or account for this token, so the audited one says",
      "nothing about it. Audit that one too, with its own credential.",
    ].join(" "),
  },
  retired: {
    severity: "note",
    title: "A replaced token is still valid",
    when: "replaced by a declared token, whose state recorded its id, and with no more rights and no later end than it had then",
    help: [
      "A rotation replaced this token where tokens cannot be revoked. It stays valid until its end;",
      "nothing is to be done, unless its secret leaked.",
    ].join(" "),
  },
  unread: {
    severity: "note",
    title: "A state was not used, or stands for a stack that could not be read",
    when: "a file stands for a stack that could not be read, or was not used since a better state of its stack was read",
    help: [
      "What an audit says is as new as the states that it knows. Repair a stack for which a file",
      "stands, and leave out a file that is not used.",
    ].join(" "),
  },
  unknown: {
    severity: "note",
    title: "A value could not be compared",
    when: "could not be compared: encrypted in the state, but nothing that grants anything; or an expiry that is not a valid instant",
    help: "The declared value is encrypted in the state, which an audit does not decrypt, or the live value cannot be understood.",
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export const ruleIds = Object.keys(rules) as RuleId[];
