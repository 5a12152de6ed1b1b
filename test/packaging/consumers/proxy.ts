/** A user of the proxy. */
import { createClient, isAdGenError } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { type AdGenProxy, createProxy, type LimitUsage } from "adgen-sdk/proxy";
import { createMemoryStore, createRedisStore, type RecordStore } from "adgen-sdk/submissions";

const redis = { call: async (command: string, ...words: string[]) => [command, ...words] };
const service = createMockService({ timeline: { queuedMs: 0, processingMs: 0 } });
const target = { baseUrl: "https://api.example.com", apiKey: "test-key", fetch: service.fetch };

export const use = async (): Promise<string> => {
  const proxy = createProxy({
    ...target,
    authorize: (request) => request.headers.get("x-user"),
    store: createMemoryStore(),
  });
  const clientOf = (user: string) =>
    createClient({
      baseUrl: "http://page.test/adgen",
      apiKey: null,
      headers: { "x-user": user },
      fetch: (request) => proxy(request),
    });
  const job = await clientOf("ann").jobs.submitAndPoll({ action: "generate-ad" });
  const other = await clientOf("ben")
    .jobs.get(job.job_id)
    .catch(({ code }) => code);
  try {
    createProxy({ allowAnyone: false });
  } catch (error) {
    return [job.status, other, isAdGenError(error) && error.code].join();
  }
  return "no refusal";
};

/** A store of the user's own. */
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
  limits: async (owner) => (owner === "admin" ? {} : { day: { imageCredits: 20 } }),
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
  deno: (request: Request, info: { readonly remoteAddr: { readonly hostname: string } }) =>
    proxy(request, info),
};

export const usage = async (owner: string): Promise<LimitUsage | undefined> => {
  const [first] = await proxy.usage(owner);
  return first;
};

/** None of these compiles. */
export const mistakes = (): void => {
  // @ts-expect-error: no such call
  createProxy({ allowAnyone: true, endpoints: ["jobs.nothing"] });
  // @ts-expect-error: an owner is a text
  createProxy({ authorize: () => 7 });
  // @ts-expect-error: a proxy is what adds the key
  createProxy({ allowAnyone: true, apiKey: null });
  // @ts-expect-error: misspelt
  createProxy({ allowAnyone: true, sotre: createMemoryStore() });
  // @ts-expect-error: the service has no such action
  createProxy({ allowAnyone: true, actions: ["paint"] });
  // @ts-expect-error: what a platform keeps alive with is no text
  void proxy(new Request("https://app.test/v1/jobs"), "env");
};
