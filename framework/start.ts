import { requireNode } from "../values/nodeVersion";
import { exitWithEngine } from "./engineWatch";

// A module of its own, to be imported first: the check of the Node.js version runs before undici is loaded, and a host whose
// engine is killed ends however far it came, also before a provider was configured.
requireNode();
exitWithEngine();
