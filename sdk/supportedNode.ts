import { makeSentence, requireNode } from "../values/nodeVersion";

// Before anything that loads undici, which fails on another runtime without saying why.
requireNode();

// Bun replaces undici with a module of its own that cannot send our requests. Resources send theirs in a process of Node.js.
const { bun } = process.versions;
if (bun !== undefined)
  throw makeSentence(
    `data functions and the client need Node.js, and this is Bun ${bun}: set "runtime: nodejs" in Pulumi.yaml`,
  );
