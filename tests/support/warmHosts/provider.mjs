// @ts-check
// Runs the hooks of dynamic providers with the SDK's own host, which begins when it is loaded.

import { require, serve } from "./child.mjs";

const main = require.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
require("@pulumi/pulumi");
require("@pulumi/pulumi/proto/provider_grpc_pb.js");

// Its settings and what it keeps of providers are its own.
serve(/\/cmd\/dynamic-provider\//, ({ argument }) => {
  process.argv.splice(1, Number.POSITIVE_INFINITY, main, argument);
  require(main);
});
