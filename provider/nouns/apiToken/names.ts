import { isSecretInput } from "../../../framework/identity";
import type { ApiTokenInputs } from "./definition";

type Described = Pick<ApiTokenInputs, "secretInputs"> & { readonly name?: string };

/** The name of a token for people; a name that was declared as a secret is not shown. */
export const describeName = (token: Described): string =>
  token.name === undefined || isSecretInput(token, "name")
    ? "API token with a secret name"
    : `API token "${token.name}"`;

/** A token for people. */
export const describeToken = (id: string, token: Described): string =>
  token.name === undefined || isSecretInput(token, "name") ? `API token ${id}` : `${describeName(token)} (id ${id})`;
