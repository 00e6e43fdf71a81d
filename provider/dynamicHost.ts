import { engineTell } from "../framework/dynamic/engineLog";
import { Host } from "../framework/host";
import { Update } from "../framework/update";
import { connectAccounts } from "./account/connection";

// One host for all kinds of resources: what a hook learns about the update or the account holds for all of them.
export const dynamicHost = new Host(connectAccounts(), engineTell, new Update());
