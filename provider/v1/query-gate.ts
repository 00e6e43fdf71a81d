import "../../framework/start";
import { dynamicProvider } from "../../framework/dynamic/adapter";
import { dynamicHost } from "../dynamicHost";
import { hostedQueryGate } from "../queryGate/lifecycle";

export = dynamicProvider(dynamicHost, hostedQueryGate);
