import "../nodeVersion";
import { apiToken } from "../../lifecycle/token/apiToken";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(apiToken);
