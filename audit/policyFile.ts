/** The default name of a policy file. In a separate module, so that a manual need not load the audit. */
export const policyFileName = "event-datasets.audit.json";
