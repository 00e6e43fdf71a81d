// @ts-check

/**
 * The capabilities that the access token needs: those of every profile, and those of the extended one.
 * @param {Readonly<Record<string, { profile: string, needs: string }>>} operations
 * @param {readonly string[] | undefined} used by the resource or function
 * @throws Error if it uses none that is known
 */
export function describeNeeds(operations, used = []) {
  /** @param {string} profile */
  const of = (profile) => [
    ...new Set(used.flatMap((name) => (operations[name]?.profile === profile ? [spell(operations[name].needs)] : []))),
  ];
  const [always, extended] = [of("documented"), of("extended")];
  if (always.length + extended.length === 0)
    throw new Error(`no known operations: ${used.join(", ") || "none declared"}`);
  if (always.length === 0) return `**The access token needs** ${extended.join(", ")} (\`extended\` profile).`;
  const more = extended.length > 0 ? `, and in the \`extended\` profile also ${extended.join(", ")}` : "";
  return `**The access token needs** ${always.join(", ")}${more}.`;
}

/** The words after an action are not code: `query: read` on each dataset. @param {string} needs */
const spell = (needs) => needs.replace(/^(\w+: \w+)/, "`$1`");

/** The subject of each capability (extended interface, "Tokens"; axiom.co/docs/restapi/endpoints/createToken). */
const meanings = {
  org: {
    annotations: "Annotations on datasets.",
    apiTokens: "API tokens. Anyone who may create them can create one with any capability.",
    auditLog: "The audit log of the organization.",
    billing: "Plan, usage and payment.",
    dashboards: "Dashboards.",
    datasets: "The datasets themselves, not their events.",
    endpoints: "Endpoints that receive events in the format of other tools.",
    flows: "Flows, which process events and send them on.",
    integrations: "Integrations with other products.",
    monitors: "Monitors, which watch the result of a query.",
    notifiers: "Notifiers, which tell people about a monitor.",
    rbac: "Roles and groups. Anyone who may change them can grant any capability.",
    sharedAccessKeys: "Shared access keys.",
    users: "Members of the organization.",
    views: "Views on datasets. `extended` profile only.",
  },
  dataset: {
    ingest: "Write events.",
    query: "Query events.",
    share: "Share the dataset with others.",
    starredQueries: "Saved queries.",
    trim: "Delete old events.",
    vacuum: "Remove unused fields.",
    data: "Delete events.",
    virtualFields: "Fields that an expression computes.",
  },
  view: { query: "Query the view.", share: "Share the view with others." },
};

/** @param {{ extended: Record<"org" | "dataset" | "view", Readonly<Record<string, readonly string[]>>> }} rules */
export function describeCapabilities({ extended }) {
  const kinds = /** @type {const} */ ([
    ["org", "orgCapabilities"],
    ["dataset", "datasetCapabilities"],
    ["view", "viewCapabilities"],
  ]);
  const rows = kinds.flatMap(([kind, argument]) =>
    Object.entries(extended[kind]).map(([key, actions]) => {
      const meaning = /** @type {Record<string, string>} */ (meanings[kind])[key];
      if (meaning === undefined) throw new Error(`what ${argument}.${key} is about is not described`);
      return `| \`${argument}\` | \`${key}\` | ${actions.join(", ")} | ${meaning} |`;
    }),
  );
  return ["| Argument | Key | Actions | What it is about |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
