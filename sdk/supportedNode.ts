import { requireNode } from "../values/nodeVersion";

// Before anything that loads undici, which fails on an older Node.js without saying why.
requireNode();
