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

// The least that a dynamic provider can be: the stored provider is a constant string, and no request is made.
const floor = `const pulumi = require("@pulumi/pulumi");
class Token extends pulumi.CustomResource {
  constructor(name, args) {
    const __provider = 'exports.handler=()=>require("./floor.js")';
    const properties = { token: undefined, expiresAt: undefined, ...args, name, __provider };
    super("pulumi-nodejs:event-datasets:ApiToken", name, properties, { additionalSecretOutputs: ["token"] });
  }
}${tokens}`;

const floorProvider = `let made = 0;
const plain = ({ __provider, ...properties }) => properties;
module.exports = {
  check: async (olds, news) => ({ inputs: plain(news) }),
  diff: async () => ({ changes: false }),
  async create(inputs) {
    const number = String(++made).padStart(12, "0");
    const token = "xaat-00000000-0000-4000-8000-" + number;
    return { id: "tok-" + number, outs: { ...plain(inputs), expiresAt: "2099-01-01T00:00:00.000Z", token } };
  },
};
`;

/**
 * The files of each program. The first program is what the others are compared with.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const programs = {
  floor: { "index.js": floor, "floor.js": floorProvider },
  ours: { "index.js": ours },
  native: { "index.js": native },
};
