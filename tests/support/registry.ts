import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { defined } from "../../values/defined";
import { listen } from "./listen";
import { CHECKOUT, npm, type Packed, packedEmulator, packedPackage } from "./packed";

/** A package registry on loopback that already has this project's packages; every other request goes to the usual one. */
export interface Registry extends AsyncDisposable {
  /** The settings of npm that lead there. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a registry with the packed packages, so that `npm install pulumi-event-datasets` works before the release. */
export async function startRegistry(): Promise<Registry> {
  const { registry: usual = "", userconfig, cache } = await readNpmSettings("registry", "userconfig", "cache");
  const own = new Map([
    ["pulumi-event-datasets", await publish(CHECKOUT, await packedPackage())],
    ["event-datasets-emulator", await publish(path.join(CHECKOUT, "emulator"), await packedEmulator())],
  ]);
  // npm keeps what it got from an address, and a later registry can get the port of this one.
  const base = `/${randomUUID()}/`;
  const server = createServer(({ url = "/", headers }, response) => {
    const asked = url.slice(base.length);
    const [name = "", file] = asked.split("/");
    const published = own.get(name);
    response.setHeader("cache-control", "no-store"); // nobody can use it again
    if (!published) response.writeHead(307, { location: new URL(asked, usual).href }).end();
    else if (file) createReadStream(published.file).pipe(response);
    else {
      const { manifest, integrity } = published;
      const dist = { tarball: `http://${headers.host}${base}${name}/package.tgz`, integrity };
      const versions = { [manifest.version]: { ...manifest, dist } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name, "dist-tags": { latest: manifest.version }, versions }));
    }
  });
  const address = `http://127.0.0.1:${await listen(server)}${base}`;
  return {
    env: {
      npm_config_registry: address,
      // A certificate or a proxy that this machine needs, and the packages that it has already.
      ...defined({ NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
      ...defined({ npm_config_userconfig: userconfig, npm_config_cache: cache }),
      npm_config_replace_registry_host: "never",
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** npm prints a line `name=value` for each. */
async function readNpmSettings(...names: string[]): Promise<Readonly<Record<string, string>>> {
  const lines = (await npm(["config", "get", ...names], CHECKOUT)).trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.replace(/=.*/, ""), line.replace(/^[^=]*=/, "")]));
}

async function publish(folder: string, { file, integrity }: Packed) {
  const manifest: { readonly version: string } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  return { file, integrity, manifest };
}
