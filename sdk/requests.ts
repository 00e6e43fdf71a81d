import { type OperationName, offers, operations, type Profile } from "./operations";
import { aplRequestFields, datasetRequestFields } from "./queries/request";
import { annotationFields } from "./resources/annotationFields";
import { tokenFields } from "./resources/tokenFields";
import type { Settings } from "./settings";
import { suggestName } from "./values/nearestName";

/** The fields that a request's body may hold; an operation without an entry has no body. */
const bodyFields: Partial<Record<OperationName, Readonly<Record<string, { readonly profile: Profile }>>>> = {
  "tokens.create": tokenFields,
  "annotations.create": annotationFields,
  "annotations.update": annotationFields,
  "queries.apl": aplRequestFields,
  "queries.dataset": datasetRequestFields,
};

interface Parameter {
  /** The smallest profile that knows the parameter by this name. */
  readonly profile: Profile;
  /** What is sent where the profile knows it and no value is given: there it is required. */
  readonly preset?: string;
  /** The setting that names it for the other profiles. */
  readonly namedBy?: "formatParameter";
}

const extended = { profile: "extended" } as const;

/**
 * Query parameters. The documented interface has that of `queries.apl` with the values `legacy` and `tabular`, but does not
 * show its name, and mentions `saveAsKind` without saying what it is (4.4). All names are the extended interface's ("Queries").
 */
const parameters: Partial<Record<OperationName, Readonly<Record<string, Parameter>>>> = {
  "queries.apl": {
    format: { ...extended, preset: "legacy", namedBy: "formatParameter" },
    nocache: extended,
    saveAsKind: extended,
    dataset_name: extended,
  },
  "queries.dataset": { nocache: extended, saveAsKind: extended },
};

/** A request as far as its profile is concerned. */
export interface Outgoing {
  readonly body?: object | undefined;
  readonly parameters?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The settings that decide what may be sent. */
export type ProfileSettings = Pick<Settings, "profile" | "formatParameter">;

/**
 * Refuses what the profile does not have: the one check of operations, body fields and query parameters, made before
 * anything is sent.
 * @returns the query parameters to send
 * @throws Error that names the operation, the field or the parameter
 */
export function checkRequest(
  settings: ProfileSettings,
  name: OperationName,
  { body, parameters: given = {} }: Outgoing,
): URLSearchParams {
  if (!offers(settings.profile, operations[name])) throw new Error(`${name} ${needsExtended}`);
  if (body) checkBody(settings, name, body);
  const sent = new URLSearchParams();
  for (const [parameter, facts] of Object.entries(parameters[name] ?? {})) {
    const value = given[parameter];
    if (value !== undefined) sent.set(parameterName(settings, name, facts, parameter, value), value);
    else if (facts.preset !== undefined && offers(settings.profile, facts)) sent.set(parameter, facts.preset);
  }
  return sent;
}

/**
 * Refuses a body field that the profile, or the operation, does not have.
 * @throws Error that names the field
 */
export function checkBody({ profile }: ProfileSettings, name: OperationName, body: object): void {
  const known = bodyFields[name] ?? {};
  for (const [field, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const facts = Object.hasOwn(known, field) ? known[field] : undefined;
    if (!facts) {
      const names = Object.keys(known);
      throw new Error(`${name}: the field ${field} does not exist${suggestName(field, names)}`);
    }
    if (!offers(profile, facts)) throw new Error(`${name}: the field ${field} ${needsExtended}`);
  }
}

const needsExtended = "is not part of the documented interface: it needs the profile extended";

function parameterName(
  settings: ProfileSettings,
  operation: OperationName,
  facts: Parameter,
  parameter: string,
  value: string,
): string {
  if (offers(settings.profile, facts)) return parameter;
  if (facts.namedBy === undefined) throw new Error(`${operation}: the parameter ${parameter} ${needsExtended}`);
  const name = settings[facts.namedBy];
  if (name !== undefined) return name;
  throw new Error(
    `the ${parameter} ${value} cannot be asked for: the documented interface does not show the name of that query parameter. ` +
      "Set formatParameter (EVENT_DATASETS_FORMAT_PARAMETER, event-datasets:formatParameter), or use the profile extended",
  );
}
