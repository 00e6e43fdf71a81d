import "../../session/start";
import { apiToken } from "../../lifecycle/token/apiToken";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(apiToken);
