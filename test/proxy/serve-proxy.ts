import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type AdGenClient, type ClientOptions, createClient } from "adgen-sdk";
import {
  createMemoryStore,
  createProxy,
  type ProxyOptions,
  type RecordStore,
} from "adgen-sdk/proxy";
import { afterAll } from "vitest";
import { testKey } from "../helpers/client.ts";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** A proxy that listens, and the things that it believes to be Ada's. */
export interface ServedProxy {
  /** Makes a client as Ada's page has one. */
  readonly clientWith: (options?: ClientOptions) => AdGenClient;
  readonly store: RecordStore;
}

/** Ids of Ada's things, of which the proxy remembers that they are hers. */
export const ownIds = { job: "job-1", brand: "b-1", ad: "ad-1" } as const;

/** Starts a proxy on loopback, before a service. Each of its users is Ada. */
export const serveProxy = async (
  baseUrl: string,
  options: ProxyOptions = {},
): Promise<ServedProxy> => {
  const store = createMemoryStore();
  for (const [kind, id] of Object.entries(ownIds)) {
    const record = JSON.stringify({ owner: "ada", at: Date.now() });
    await store.swap(`owner:${kind}:${id}`, "", { rev: id, text: record, list: `${kind}s:ada` });
  }
  const proxy = createProxy({
    baseUrl,
    apiKey: testKey,
    authorize: () => "ada",
    store,
    hooks: { onError: () => {} }, // failures are meant, and must not be printed
    ...options,
  });
  const listener = getRequestListener((request) => proxy(request), {
    overrideGlobalObjects: false,
  });
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const page = { baseUrl: `http://127.0.0.1:${port}/adgen`, apiKey: null, callIds: true } as const;
  return { clientWith: (more) => createClient({ ...page, ...more }), store };
};
