import { Hooks } from "../../framework/hooks";
import { Host } from "../../framework/host";
import type { Bag, PlannedChange, Tell } from "../../framework/lifecycle";
import { scopeOf, Update } from "../../framework/update";
import type { Hosted } from "../../provider/account/connection";
import { connectAccounts } from "../../provider/account/connection";
import type { Profile } from "../../sdk";

const tellNobody: Tell = { warn: async () => undefined, inform: async () => undefined };

/** A process of which nothing listens at the service's address, unless another address is given. */
export function startHost({
  baseUrl = "http://127.0.0.1:1",
  profile = "documented" as Profile,
  tell = tellNobody,
} = {}) {
  const host = new Host(connectAccounts(), tell, new Update());
  const settings: Readonly<Record<string, string>> = { provider: "own", accessToken: "xaat-root", baseUrl, profile };
  host.configure({ get: (key) => settings[key.replace("event-datasets:", "")] });
  return host;
}

/** The reasons why inputs cannot be used, as the engine gets them. */
export async function findReasons(hosted: Hosted, inputs: object, profile?: Profile): Promise<readonly string[]> {
  const hooks = new Hooks(hosted, startHost({ ...(profile && { profile }) }));
  return (await hooks.check(undefined, inputs as Bag, tellNobody)).reasons;
}

/** The difference that an update finds, as the engine gets it. */
export async function diffInUpdate(hosted: Hosted, id: string, state: object, inputs: object): Promise<PlannedChange> {
  const host = startHost();
  host.update.declare(scopeOf(hosted.definition.name, (inputs as Bag).key), inputs);
  return await new Hooks(hosted, host).diff(id, state as Bag, inputs as Bag, tellNobody);
}
