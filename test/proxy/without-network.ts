import { type AdGenClient, type CustomFetch, createClient } from "adgen-sdk";
import { createMemoryStore, createProxy, type ProxyOptions } from "adgen-sdk/proxy";

/** Connects a client to a service that is a function. */
export type Connect = (send: CustomFetch) => AdGenClient | Promise<AdGenClient>;

/** A program that has the key. */
export const direct: Connect = (send) =>
  createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch: send });

/** A page of Ada, or of whom the options let in, behind the proxy. What is there is Ada's. */
export const fromPage =
  (options: ProxyOptions = {}): Connect =>
  async (send) => {
    const store = createMemoryStore();
    const record = JSON.stringify({ owner: "ada", at: Date.now() });
    await store.swap("owner:job:job-1", "", { rev: "1", text: record, list: "jobs:ada" });
    await store.swap("owner:brand:b-1", "", { rev: "1", text: record, list: "brands:ada" });
    const proxy = createProxy({
      hooks: { onError: () => {} }, // failures are meant, and must not be printed
      ...{ baseUrl: "https://ads.test", apiKey: "test-key", fetch: send, store },
      ...{ authorize: () => "ada", ...options },
    });
    const fetch: CustomFetch = (request) => proxy(request);
    const page = { baseUrl: "https://shop.test/adgen", apiKey: null, callIds: true } as const;
    return createClient({ ...page, fetch });
  };
