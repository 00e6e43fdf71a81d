import "../../session/start";
import { queryGate } from "../../lifecycle/gate/queryGate";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(queryGate);
