/** How a policy file is called where nobody names one; a file of its own, so that a manual need not load the audit. */
export const policyFileName = "event-datasets.audit.json";
