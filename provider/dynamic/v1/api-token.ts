import "../nodeVersion";
import { apiToken } from "../../lifecycle/apiToken";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(apiToken);
