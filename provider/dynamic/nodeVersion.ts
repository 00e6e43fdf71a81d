import { requireNode } from "../../sdk/nodeVersion";

// A module of its own, so that importing it first runs the check before undici is loaded.
requireNode();
