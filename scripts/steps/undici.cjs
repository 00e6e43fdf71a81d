// The parts of undici that the client uses. Its main module loads all others as well, such as fetch, caches and mocks.
exports.Agent = require("undici/lib/dispatcher/agent");
exports.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent");
exports.buildConnector = require("undici/lib/core/connect");

// As the main module does: an agent for proxies calls `connect`.
Object.assign(require("undici/lib/dispatcher/dispatcher").prototype, require("undici/lib/api"));
