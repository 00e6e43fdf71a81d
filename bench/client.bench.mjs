// @ts-check
// Each client makes the same calls to one service, in a process of its own: this file, with arguments.
import { request } from "undici";
import { costOf, measureRounds } from "./measure.mjs";
import { accessToken, createClient, withEmulator } from "./service.mjs";

const [AT_ONCE, CALLS_EACH] = [20, 250];
const id = "tok-bench";
const annotation = { type: "deploy", datasets: ["logs"], title: "bench" };
const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
const post = /** @type {const} */ ({ method: "POST", headers, body: JSON.stringify(annotation) });

/** @param {import("./run.mjs").Options} options */
export const measureClient = ({ rounds }) =>
  withEmulator(async ({ emulator, folder }) => {
    await emulator.tokens.add([{ id, name: "bench" }]);
    return measureRounds(Object.keys(clients), rounds, async (client) => {
      const costOfCall = async (/** @type {string} */ call) => {
        const args = [import.meta.filename, client, call, emulator.url];
        // The elapsed time is mostly the service's.
        const { "wall s": _, ...figures } = await costOf(process.execPath, args, { cwd: folder, env: {} });
        return figures;
      };
      return { token: await costOfCall("token"), annotation: await costOfCall("annotation") };
    });
  });

/** @type {Readonly<Record<string, (url: string) => Record<string, () => Promise<unknown>>>>} */
const clients = {
  undici: (url) => ({
    token: async () => (await request(`${url}/v2/tokens/${id}`, { headers })).body.json(),
    annotation: async () => (await request(`${url}/v2/annotations`, post)).body.json(),
  }),
  fetch: (url) => ({
    token: async () => (await fetch(`${url}/v2/tokens/${id}`, { headers })).json(),
    annotation: async () => (await fetch(`${url}/v2/annotations`, post)).json(),
  }),
  ours(url) {
    const client = createClient(url);
    return { token: () => client.tokens.get(id), annotation: () => client.annotations.create(annotation) };
  },
};

if (process.argv[1] === import.meta.filename) {
  const [, , client = "", call = "", url = ""] = process.argv;
  const make = clients[client]?.(url)[call];
  const work = async () => {
    for (let n = 0; n < CALLS_EACH; n++) await make?.();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  process.exit();
}
