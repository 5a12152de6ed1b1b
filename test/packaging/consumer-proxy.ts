/** A consumer of the proxy: type-checked against the packed package, never run. */
import {
  type AdGenProxy,
  createMemoryStore,
  createProxy,
  createRedisStore,
  type LimitUsage,
  type RecordStore,
} from "adgen-sdk/proxy";

declare const redis: { call(command: string, ...words: string[]): Promise<unknown> };

/** A store of a database. */
export const ownStore: RecordStore = {
  get: async () => undefined,
  swap: async (id, _expected, next) => next && { id, rev: next.rev, text: next.text },
  list: async () => [],
};

export const proxy: AdGenProxy = createProxy({
  baseUrl: "https://api.example.com",
  apiKey: async () => "test-key",
  authorize: async (request) => request.headers.get("x-user"),
  store: createRedisStore((...words) => redis.call(...words)),
  endpoints: ["jobs.submit", "jobs.get"],
  actions: ["generate-ad"],
  limits: async (owner) => (owner === "admin" ? [] : [{ windowMs: 86_400_000, imageCredits: 20 }]),
  origins: ["https://app.example.com"],
  hooks: { onResponse: ({ owner, status, repeated }) => [owner, status, repeated].join() },
});

/** Handlers, as platforms call them. */
export const platforms = {
  next: { GET: (request: Request) => proxy(request), POST: proxy },
  worker: {
    fetch: (
      request: Request,
      _env: unknown,
      context: { waitUntil(done: Promise<unknown>): void },
    ) => proxy(request, context),
  },
};

export const usage = async (owner: string): Promise<LimitUsage | undefined> => {
  const [first] = await proxy.usage(owner);
  return first;
};

/** None of these compiles. */
export const mistakes = (): void => {
  // @ts-expect-error: no such call
  createProxy({ allowAnyone: true, endpoints: ["jobs.cancel"] });
  // @ts-expect-error: an owner is a text
  createProxy({ authorize: () => 7 });
  // @ts-expect-error: a proxy is what adds the key
  createProxy({ allowAnyone: true, apiKey: null });
  // @ts-expect-error: misspelt
  createProxy({ allowAnyone: true, sotre: createMemoryStore() });
};
