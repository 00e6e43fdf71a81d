import { refuseBun, requireNode } from "../values/nodeVersion";

// Before anything that loads undici, which fails on another runtime without saying why.
requireNode();
refuseBun();
