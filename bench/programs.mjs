// @ts-check
// The programs that the engine bench compares. Each declares the same tokens: what a user would write for a token with a
// name made by the provider, two capabilities and an expiry that is counted from its creation.

const spec = `{
  description: "token " + n + " of the bench",
  expiresIn: "30d",
  orgCapabilities: { apiTokens: ["read"], datasets: ["read", "create"] },
}`;
const loop = (/** @type {string} */ type) =>
  `for (let n = 0; n < Number(process.env.TOKENS); n++) new ${type}("token-" + n, ${spec});\n`;

const ours = `const { ApiToken } = require("pulumi-event-datasets");\n${loop("ApiToken")}`;

// The same through the plugin, with as little of an SDK as there can be.
const native = `const pulumi = require("@pulumi/pulumi");
class Token extends pulumi.CustomResource {
  constructor(name, args) {
    super("event-datasets:index:ApiToken", name, { token: undefined, expiresAt: undefined, ...args });
  }
}
${loop("Token")}`;

// The service's Terraform provider, bridged into Pulumi. Its plugin is not on npm: whoever measures it puts an executable
// `pulumi-resource-axiom` on the PATH. It takes no length of life.
const bridged = `const pulumi = require("@pulumi/pulumi");
class Token extends pulumi.CustomResource {
  constructor(name, { expiresIn, ...args }) {
    const expiresAt = "2099-01-01T00:00:00Z";
    super("axiom:index/token:Token", name, { token: undefined, name, expiresAt, ...args });
  }
}
${loop("Token")}`;

// The least that a dynamic provider can be: the stored provider is a constant string, no request is made, every hook
// answers at once.
const floor = `const pulumi = require("@pulumi/pulumi");
class Token extends pulumi.CustomResource {
  constructor(name, args) {
    const __provider = 'exports.handler=()=>require("./floor.js")';
    super("pulumi-nodejs:event-datasets:ApiToken", name, { token: undefined, expiresAt: undefined, ...args, name, __provider }, {
      additionalSecretOutputs: ["token"],
    });
  }
}
${loop("Token")}`;

const floorProvider = `let made = 0;
const plain = ({ __provider, ...properties }) => properties;
module.exports = {
  check: async (olds, news) => ({ inputs: plain(news) }),
  diff: async () => ({ changes: false }),
  async create(inputs) {
    const id = "tok-" + String(++made).padStart(6, "0");
    const token = "xaat-00000000-0000-4000-8000-" + String(made).padStart(12, "0");
    return { id, outs: { ...plain(inputs), expiresAt: "2099-01-01T00:00:00.000Z", token } };
  },
  read: async (id, properties) => ({ id, props: plain(properties) }),
  update: async (id, olds, news) => ({ outs: { ...plain(olds), ...plain(news) } }),
  delete: async () => undefined,
};
`;

// The documented way to write a dynamic provider: a class, which the state stores as text.
const handWritten = `const pulumi = require("@pulumi/pulumi");
async function call(method, path, body) {
  const answer = await fetch(process.env.EVENT_DATASETS_BASE_URL + path, {
    method,
    headers: { authorization: "Bearer " + process.env.EVENT_DATASETS_ACCESS_TOKEN, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(method + " " + path + ": " + answer.status);
  const text = await answer.text();
  return text ? JSON.parse(text) : undefined;
}
class TokenProvider {
  async check(olds, news) {
    const failures = [];
    if (typeof news.name !== "string" || news.name === "") failures.push({ property: "name", reason: "must not be empty" });
    return { inputs: news, failures };
  }
  async diff(id, olds, news) {
    const keys = ["name", "description", "expiresIn", "orgCapabilities"];
    const replaces = keys.filter((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]));
    return { changes: replaces.length > 0, replaces };
  }
  async create(inputs) {
    const { expiresIn, name, description, orgCapabilities } = inputs;
    const expiresAt = new Date(Date.now() + Number.parseInt(expiresIn) * 86400000).toISOString();
    const made = await call("POST", "/v2/tokens", { name, description, orgCapabilities, expiresAt });
    return { id: made.id, outs: { ...inputs, expiresAt, token: made.token } };
  }
  async read(id, properties) {
    const live = await call("GET", "/v2/tokens/" + id);
    return { id, props: { ...properties, name: live.name, description: live.description } };
  }
  async delete(id) {
    await call("DELETE", "/v2/tokens/" + id);
  }
}
class Token extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(new TokenProvider(), name, { token: undefined, expiresAt: undefined, ...args, name }, {
      additionalSecretOutputs: ["token"],
    });
  }
}
${loop("Token")}`;

/** Files of each program; the first is what the others are compared with. */
export const programs = {
  floor: { "index.js": floor, "floor.js": floorProvider },
  ours: { "index.js": ours },
  native: { "index.js": native },
  "hand-written": { "index.js": handWritten },
  bridged: { "index.js": bridged },
};

/** @typedef {keyof typeof programs} Variant */
