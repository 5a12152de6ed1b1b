import {
  type AdGenClient,
  type AdGenError,
  type ClientOptions,
  createClient,
  toResult,
} from "../../src/client/index.ts";
import { createMemoryStore, createSubmissions } from "../../src/submissions/index.ts";
import { type Answer, type HttpServer, listen } from "./http-server.ts";

export const testKey = "test-5f2c9a7e41d8";

/** A job that costs a credit. */
export const paidJob = { action: "generate-ad", prompt: "Summer sale" } as const;

export const clientOf = (
  { url }: { readonly url: string },
  options: ClientOptions = {},
): AdGenClient => createClient({ baseUrl: url, apiKey: testKey, ...options });

/** Gives the typed error that a promise rejects with. Any other end fails the test. */
export const rejection = async (promise: Promise<unknown>): Promise<AdGenError> => {
  const result = await toResult(promise);
  if (result.ok) throw new Error(`It resolved: ${JSON.stringify(result.data)}`);
  return result.error;
};

/** Measures the time that a call takes to its end. */
export const measureTime = async <T>(call: () => Promise<T>): Promise<{ value: T; ms: number }> => {
  const startedAt = performance.now();
  const value = await call();
  return { value, ms: performance.now() - startedAt };
};

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Makes the error that `fetch` throws when a connection fails: its cause is the system's error, with
 * more fields where they are given.
 */
export const fetchError = (code: string, fields: object = {}): TypeError =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error(`connect ${code}`), { code, ...fields }),
  });

/** Starts a service that gives these answers in turn, and a client with a store. */
export const startWith = async (...answers: Answer[]) => {
  const server = await listen(...answers);
  const store = createMemoryStore();
  /** Opens a client as another process does, which shares the store. */
  const openNext = (options?: ClientOptions) => {
    const submissions = createSubmissions(store);
    const client = clientOf(server, { submissions, ...options });
    return { submissions, client, jobs: client.jobs };
  };
  return { server, store, openNext, ...openNext() };
};

export const posts = ({ received }: HttpServer): number =>
  received.filter(({ method }) => method === "POST").length;

export const once = "order-17";

/** Fields of the error when a submission with an id has sent nothing. */
export const unsent = { method: "POST", path: "/v1/jobs", attempts: 0, action: "generate-ad" };
