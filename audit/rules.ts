/** The severity of a finding; a `note` never fails an audit. */
export const severities = ["error", "warning", "note"] as const;

export type Severity = (typeof severities)[number];

interface Rule {
  readonly severity: Severity;
  /** The finding in a few words. */
  readonly title: string;
  /** The exact condition, in Markdown, for the table in `docs/audit.md`. */
  readonly when: string;
  /** The meaning of a finding, and the advice for it. */
  readonly help: string;
}

/**
 * Every rule, in the order of reports. The ids are permanent: policies and dashboards name them. `npm run generate`
 * writes the published schemas and the table in `docs/audit.md` from this list.
 */
export const rules = {
  missing: {
    severity: "error",
    title: "A declared token is not live",
    when: "a declared token is not live, although its declared expiry has not passed: somebody revoked it or moved its expiry",
    help: "Its consumers have stopped working. To create it again, run pulumi refresh and pulumi up; otherwise remove it from the program.",
  },
  escalated: {
    severity: "error",
    title: "A declared token gained capabilities or a later expiry",
    when: "a live token has a capability that is not declared, or a later expiry than declared",
    help: "Find out who changed it. pulumi refresh and pulumi up replace it with the declared token.",
  },
  undeclared: {
    severity: "error",
    title: "A live token is not declared anywhere",
    when: [
      "a live token that no audited stack declares (a lookup with `ApiToken.get` declares nothing), or that exceeds",
      "its exception in the policy",
    ].join(" "),
    help: [
      "It may belong to a stack that was not audited: name every stack (--all-stacks). Then declare it (tokens adopt --id),",
      "revoke it (tokens revoke --id), or accept it in the policy with an owner, a reason, a last day and its capabilities.",
    ].join(" "),
  },
  orphaned: {
    severity: "error",
    title: "A live token was left behind",
    when: [
      "an update left a live token behind: its create did not finish, its secret never arrived and it was replaced, or its deletion",
      "after its replacement was refused or interrupted",
    ].join(" "),
    help: [
      "If a stack still tracks the token, run pulumi up, which deletes it; if the service refuses, the access token of the program",
      "lacks apiTokens:delete. If its name was generated, nobody should use it: revoke it (tokens revoke --id), or accept it by its id",
      "until it expires. If your program chose the name, it may belong to another stack: audit all stacks first (--all-stacks).",
    ].join(" "),
  },
  "stale-state": {
    severity: "error",
    title: "A state belongs to a stack that does not exist",
    when: "with `--all-stacks`: a `--state` file belongs to a stack that the Pulumi CLI does not list",
    help: [
      "A removed stack declares nothing any more: leave its file out. If the stack is in another backend, set the severity",
      "of this rule to note.",
    ].join(" "),
  },
  "hidden-capabilities": {
    severity: "error",
    title: "Capabilities could not be compared",
    when: [
      "a token may have more capabilities than declared: the declared ones are encrypted in the state or have members that are not",
      "known, or the live ones have an unknown form",
    ].join(" "),
    help: "Declare capabilities without pulumi.secret: they are not secrets, and an audit decrypts nothing.",
  },
  "hidden-expiry": {
    severity: "error",
    title: "An expiry could not be compared",
    when: "the declared expiry is encrypted in the state, so the live one may be later; or the live one is not a valid timestamp",
    help: [
      "Declare expiresAt without pulumi.secret: the service shows it to everyone who may list tokens. The expiry of expiresIn stays",
      "encrypted as long as the token lives if any argument was a secret: after you remove pulumi.secret, change rotation.triggers.",
    ].join(" "),
  },
  "long-lived": {
    severity: "error",
    title: "A token stays valid longer than the policy allows",
    when: [
      "a token has no expiry, an expiry later than `maxLifetime` from now, or an expiry that cannot be read; off without",
      "`maxLifetime`",
    ].join(" "),
    help: "Declare an earlier expiry. The service does not show when a token was created, so the limit counts from now.",
  },
  changed: {
    severity: "warning",
    title: "A declared token was changed",
    when: "a live token differs from its declaration without granting more",
    help: "pulumi refresh and pulumi up replace it with the declared token.",
  },
  "over-privileged": {
    severity: "warning",
    title: "A token has a restricted capability",
    when: "a token has an organization capability that the policy restricts, and is not one of its holders",
    help: "Take the capability away, or name the token as a holder in the policy.",
  },
  "never-expires": {
    severity: "warning",
    title: "A token never expires",
    when: "a live token has no expiry, or `0001-01-01T00:00:00Z`, which means the same",
    help: "If its secret leaks, it stays valid until somebody revokes it. Declare an expiresAt.",
  },
  misnamed: {
    severity: "warning",
    title: "A token is not named as the policy requires",
    when: "a token's name matches none of the policy's `names`; off without `names`",
    help: "Declare another name, or add a pattern to the policy.",
  },
  expiry: {
    severity: "warning",
    title: "A token has expired or is about to expire",
    when: [
      "a declared or listed token expired more than 5 minutes ago (clocks differ), or expires within `--expiring-within` (default",
      "`14d`). A token with a rotation counts only if the rotation is overdue: by one day, or by half of the time between its due",
      "date and the expiry. An expired token is not reported as `undeclared` or `missing` as well",
    ].join(" "),
    help: "Declare a later expiry, or remove the token. If its rotation is overdue, run pulumi up, which creates a new token.",
  },
  "duplicate-name": {
    severity: "warning",
    title: "Several live tokens have the same name",
    when: "several live tokens have the same name; expired and replaced tokens do not count",
    help: "A lookup by this name is ambiguous. Revoke the tokens that are not needed, or let the provider generate names.",
  },
  pending: {
    severity: "warning",
    title: "The creation of a token did not finish",
    when: [
      "a create did not finish and left no token, the secret of a token never arrived, or a replacement with",
      "`deleteBeforeReplace` did not finish",
    ].join(" "),
    help: "The next pulumi up creates the token; pulumi refresh --clear-pending-creates clears an interrupted create.",
  },
  updating: {
    severity: "warning",
    title: "The stack of a create is being updated",
    when: [
      "a live token has the name of a create that did not finish, and an update holds the stack: it is running, or was killed and",
      "left its lock. Only Pulumi Cloud and `file://` backends show this",
    ].join(" "),
    help: "If an update is running, audit again when it is done. If nothing is running, pulumi cancel removes the lock.",
  },
  unchecked: {
    severity: "warning",
    title: "A planned token could not be checked",
    when: [
      "only in the [policy pack](guides/auditInCi.md#refuse-a-token-before-it-exists): a rule needs a value that is not known",
      "before the update",
    ].join(" "),
    help: [
      "The update checks the token again before it is created. Two things are checked by the audit afterwards, unless this",
      "rule is an error: whether a new token is a holder by id, and the expiry of an adopted token without expiresAt.",
    ].join(" "),
  },
  shared: {
    severity: "error",
    title: "Two resources declare one token",
    when: "two resources, in one stack or in two, have the same token, so each can revoke the token of the other",
    help: "A token has one owner. Set retainOnDelete: true on one of the resources, run pulumi up, and remove it.",
  },
  elsewhere: {
    severity: "note",
    title: "A token may belong to another account",
    when: [
      "nothing proves that a declared token, or a create that did not finish, belongs to the audited account, and no such token is",
      "listed. If this is true of _all_ declared tokens, the base URL or the access token is wrong, and the exit code is 2",
    ].join(" "),
    help: "Audit the other account with the settings of its Provider. If there is no other account, the token was revoked.",
  },
  foreign: {
    severity: "note",
    title: "Another tool manages a token",
    when: "a live token is managed by a resource of another type: from another provider, from a dynamic provider or from Terraform",
    help: "That tool can replace or revoke the token. To take it over, follow the guide on taking over tokens.",
  },
  retired: {
    severity: "note",
    title: "A replaced token is still valid",
    when: "a declared token replaced this one, which stays valid on purpose",
    help: [
      "It was kept on purpose (retire, rotation.overlap, retainOnDelete, or a profile that cannot revoke tokens). If it never",
      "expires, or its secret leaked, revoke it (tokens revoke --force) once nobody uses it.",
    ].join(" "),
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export const ruleIds = Object.keys(rules) as RuleId[];
