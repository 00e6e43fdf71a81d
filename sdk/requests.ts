import { suggestName } from "../values/nearestName";
import { type BodyFields, type OperationName, operations, type SendingOperation } from "./operations";
import { offers, type Profile } from "./profiles";
import { howToExtend, type Settings, spellSetting } from "./settings";

interface Parameter {
  /** The smallest profile that knows the parameter by this name. */
  readonly profile: Profile;
  /** The default value. It is sent as soon as the parameter's name is known, because a service can require it. */
  readonly preset?: string;
  /** The setting that names it for the other profiles. */
  readonly namedBy?: "formatParameter";
}

const extended = { profile: "extended" } as const;

/**
 * Query parameters. The documented interface has the
 * parameter `format` of `queries.apl` without its name, and mentions `saveAsKind` without a definition (4.4). All
 * names come from the extended interface ("Queries").
 */
const parameters = {
  "queries.apl": {
    format: { ...extended, preset: "legacy", namedBy: "formatParameter" },
    nocache: extended,
    saveAsKind: extended,
    dataset_name: extended,
  },
  "queries.dataset": { nocache: extended, saveAsKind: extended },
} as const satisfies ParameterTables;

type ParameterTables = Readonly<Partial<Record<OperationName, Readonly<Record<string, Parameter>>>>>;

/**
 * The query parameters of a request, with the names of the extended profile. The type excludes them if the operation has none.
 */
export type ParametersOf<Name extends OperationName> = Name extends keyof typeof parameters
  ? { readonly parameters?: { readonly [Key in keyof (typeof parameters)[Name]]?: string | undefined } }
  : { readonly parameters?: never };

/** The body of a request. The type requires it if the operation sends one, and excludes it otherwise. */
export type BodyOf<Name extends OperationName> = Name extends SendingOperation
  ? { readonly body: object }
  : { readonly body?: never };

/** The parts of a request that depend on the profile. */
export interface Outgoing {
  readonly body?: object | undefined;
  readonly parameters?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A part of a request that the documented interface does not have. */
export interface Addition {
  readonly kind: "operation" | "field" | "query parameter";
  readonly name: string;
}

/** A request that the profile may send. */
export interface CheckedRequest {
  /** The query parameters to send. */
  readonly search: string;
  /** The capability that the access token needs. */
  readonly needs: string;
  /** The parts that the documented interface does not have, and that a service may refuse. */
  readonly additions: readonly Addition[];
  /** The parameters whose names the profile does not know, but that a service can require. */
  readonly unnamed: readonly string[];
}

/** The settings that decide what may be sent. */
export type ProfileSettings = Pick<Settings, "profile" | "formatParameter" | "nameOf">;

/**
 * Refuses an operation, a body field or a query parameter that the profile does not have, before anything is sent.
 * @throws Error that names the operation, the field or the parameter
 */
export function checkRequest(
  settings: ProfileSettings,
  name: OperationName,
  { body, parameters: given = {} }: Outgoing,
): CheckedRequest {
  if (!offers(settings.profile, operations[name])) throw new Error(`${name} ${needsExtended(settings)}`);
  const additions: Addition[] = [];
  if (isAddition(operations[name])) additions.push({ kind: "operation", name });
  if (body) additions.push(...checkBody(settings, name, body));
  const search = new URLSearchParams();
  const unnamed: string[] = [];
  for (const [parameter, facts] of Object.entries((parameters as ParameterTables)[name] ?? {})) {
    const known = offers(settings.profile, facts) ? parameter : facts.namedBy && settings[facts.namedBy];
    const value = given[parameter] ?? (known === undefined ? undefined : facts.preset);
    if (facts.namedBy && !offers(settings.profile, facts)) unnamed.push(parameter);
    if (value === undefined) continue;
    if (known === undefined)
      throw new Error(
        facts.namedBy
          ? `the ${parameter} ${value} is not available: ${nameless(settings)}, or ${howToExtend(settings)}`
          : `${name}: the parameter ${parameter} ${needsExtended(settings)}`,
      );
    search.set(known, value);
    if (known === parameter && isAddition(facts)) additions.push({ kind: "query parameter", name: parameter });
  }
  return { search: search.toString(), needs: operations[name].needs, additions, unnamed };
}

/**
 * Refuses a body field that the profile, or the operation, does not have.
 * @returns the fields that the documented interface does not have
 * @throws Error that names the field
 */
export function checkBody(settings: ProfileSettings, name: OperationName, body: object): Addition[] {
  const operation = operations[name];
  return checkFields(settings, name, body, "body" in operation ? operation.body : {}, "");
}

/** @param within the path to this object in the body, as in "newToken." */
function checkFields(
  settings: ProfileSettings,
  operation: OperationName,
  object: object,
  known: BodyFields,
  within: string,
): Addition[] {
  return Object.entries(object).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const facts = Object.hasOwn(known, field) ? known[field] : undefined;
    const name = `${within}${field}`;
    if (!facts) {
      const suggestion = suggestName(field, Object.keys(known));
      throw new Error(`${operation}: the field ${name} does not exist${suggestion}`);
    }
    if (!offers(settings.profile, facts)) throw new Error(`${operation}: the field ${name} ${needsExtended(settings)}`);
    const addition: Addition[] = isAddition(facts) ? [{ kind: "field", name: field }] : [];
    if (!facts.fields || typeof value !== "object" || value === null) return addition;
    return [...addition, ...checkFields(settings, operation, value, facts.fields, `${name}.`)];
  });
}

const isAddition = (facts: { readonly profile: Profile }): boolean => !offers("documented", facts);

const needsExtended = (settings: ProfileSettings): string =>
  `is not in the profile "documented": ${howToExtend(settings)}`;

const nameless = ({ nameOf = spellSetting }: ProfileSettings): string =>
  `the profile "documented" does not know the name of that query parameter. Set ${nameOf("formatParameter")}`;
