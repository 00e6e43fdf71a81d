import { requireNode } from "../values/nodeVersion";
import { exitWithEngine } from "./engineWatch";

// Imported first: the version of Node.js is checked before undici is loaded.
requireNode();
exitWithEngine();
