import "../../framework/start";
import { dynamicProvider } from "../../framework/dynamic/adapter";
import { hostedApiToken } from "../apiToken/lifecycle";
import { dynamicHost } from "../dynamicHost";

export = dynamicProvider(dynamicHost, hostedApiToken);
