import type { JsonObject } from "./json";

const routes = ["/", "/login", "/api/orders", "/api/search"];
const regions = ["eu-central-1", "us-east-1"];

/** Requests to a web service in the last hour, the newest one now; every 20th fails. Each start generates the same requests. */
export const sampleEvents = (now: Date): JsonObject[] =>
  Array.from({ length: 1_200 }, (_, n) => ({
    _time: new Date(now.getTime() - n * 3_000).toISOString(),
    method: n % 4 === 1 ? "POST" : "GET",
    route: routes[(n * 7) % routes.length],
    region: regions[n % 3 === 0 ? 1 : 0],
    status: n % 20 === 7 ? 500 : n % 9 === 4 ? 404 : 200,
    ms: 20 + ((n * 37) % 180) + (n % 20 === 7 ? 900 : 0),
  }));
