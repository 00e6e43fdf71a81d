import "../nodeVersion";
import { queryGate } from "../../lifecycle/queryGate";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(queryGate);
