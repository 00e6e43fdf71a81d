// @ts-check
// The programs that the engine bench compares. Each declares the same tokens: what a user would write for a token with a
// name made by the provider, two capabilities and an expiry that is counted from its creation.

const tokens = `
for (let n = 0; n < Number(process.env.TOKENS); n++) {
  new Token("token-" + n, {
    description: "token " + n + " of the bench",
    expiresIn: "30d",
    orgCapabilities: { apiTokens: ["read"], datasets: ["read", "create"] },
  });
}
`;

const ours = `const { ApiToken: Token } = require("pulumi-event-datasets");${tokens}`;

// The same through the plugin, with as little of an SDK as there can be.
const native = `const pulumi = require("@pulumi/pulumi");
class Token extends pulumi.CustomResource {
  constructor(name, args) {
    super("event-datasets:index:ApiToken", name, { token: undefined, expiresAt: undefined, ...args });
  }
}${tokens}`;

// The least that a dynamic provider can be: the stored provider is a constant string, and only the arguments are recorded.
const floor = `const pulumi = require("@pulumi/pulumi");
class Token extends pulumi.CustomResource {
  constructor(name, args) {
    const __provider = 'exports.handler=()=>require("./floor.js")';
    const properties = { token: undefined, expiresAt: undefined, ...args, name, __provider };
    super("pulumi-nodejs:event-datasets:ApiToken", name, properties, { additionalSecretOutputs: ["token"] });
  }
}${tokens}`;

/** @param {string} hooks */
const floorProvider = (hooks) => `const plain = ({ __provider, ...properties }) => properties;
const outs = (inputs, token) => ({ ...plain(inputs), expiresAt: "2099-01-01T00:00:00.000Z", token });
module.exports = {
  check: async (olds, news) => ({ inputs: plain(news) }),
  diff: async () => ({ changes: false }),${hooks}
};
`;

const silent = floorProvider(`
  async create(inputs) {
    const number = inputs.name.split("-")[1].padStart(12, "0");
    return { id: "tok-" + number, outs: outs(inputs, "xaat-00000000-0000-4000-8000-" + number) };
  },`);

// A kept connection may be closed as a create goes out, so ours opens one for each.
const sending = `const { request } = require("undici");
const authorization = "Bearer " + process.env.EVENT_DATASETS_ACCESS_TOKEN;
const headers = { authorization, "content-type": "application/json" };
const send = async (method, path, body) => {
  const address = process.env.EVENT_DATASETS_BASE_URL + "/v2/tokens" + path;
  const response = await request(address, { method, headers, body: JSON.stringify(body), reset: method === "POST" });
  if (response.statusCode >= 300) throw new Error("status " + response.statusCode);
  return response.body.text();
};
${floorProvider(`
  async create({ name, description, orgCapabilities, ...inputs }) {
    const fields = { name, description, orgCapabilities };
    const { id, token } = JSON.parse(await send("POST", "", fields));
    return { id, outs: outs({ ...fields, ...inputs }, token) };
  },
  delete: (id) => send("DELETE", "/" + id),`)}`;

/**
 * The files of each program. The first program is what the others are compared with.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const programs = {
  floor: { "index.js": floor, "floor.js": silent },
  sending: { "index.js": floor, "floor.js": sending },
  ours: { "index.js": ours },
  native: { "index.js": native },
};
