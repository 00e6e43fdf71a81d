// @ts-check
// Creates as an update makes them, without an engine.

/**
 * One create of the lifecycle with a generated name.
 * @param {NodeJS.Require} require a built package's, of a file in this folder's parent
 */
export function createTokens(require) {
  const lifecycle = "../dist/provider/lifecycle";
  const { apiToken } = require(`${lifecycle}/token/apiToken.js`);
  const { Account } = require(`${lifecycle}/account.js`);
  const { Ledger } = require(`${lifecycle}/ledger.js`);
  const { shareAdoptions } = require(`${lifecycle}/../session/adoptions.js`);
  return makeCreate({ apiToken, Account, Ledger, adoptions: shareAdoptions(undefined) });
}

/** @param {{ apiToken: any, Account: any, Ledger: any, adoptions: any }} parts */
export const makeCreate =
  ({ apiToken, Account, Ledger, adoptions }) =>
  async (/** @type {any} */ client, /** @type {string} */ name) => {
    const sleep = async () => undefined;
    const session = {
      client,
      sleep,
      adoptions,
      warn: async () => undefined,
      inform: async () => undefined,
      now: () => new Date("2026-11-21T12:00:00Z"),
      elapsed: () => 0,
      timeout: () => new AbortController().signal,
      account: new Account({ baseUrl: client.baseUrl, credentialHash: "0123456789ab" }, sleep),
      ledger: new Ledger(),
    };
    try {
      const { id } = await apiToken.create(session, { name, autoName: name.slice(0, -8) });
      return { id: String(id), lost: false };
    } catch (failure) {
      const { name: kind, id } = /** @type {any} */ (failure);
      return kind === "PartialCreate" ? { id: String(id), lost: true } : undefined;
    }
  };
