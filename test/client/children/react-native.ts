// Runs the client on a platform like React Native: the signals are those of the package
// `abort-controller`, and `fetch` knows no streams. Prints how each call ends.
import { request } from "node:http";
import * as polyfills from "abort-controller";

interface OldInit {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: string | null;
  readonly signal?: AbortSignal;
}

/** A `Request` over XMLHttpRequest has only `clone` and the given fields. */
class OldRequest {
  readonly url: string;
  readonly init: OldInit;
  readonly headers: Headers;
  readonly method: string;
  constructor(input: OldRequest | string, init: OldInit = {}) {
    this.url = typeof input === "string" ? input : input.url;
    this.init = typeof input === "string" ? init : { ...input.init, ...init };
    this.headers = new Headers(this.init.headers);
    this.method = this.init.method ?? "GET";
  }
  clone(): OldRequest {
    return new OldRequest(this);
  }
}

/** Sends text, and answers without a stream. */
const oldFetch = (input: OldRequest | string, init?: OldInit): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { url, method, headers, init: given } = new OldRequest(input, init);
    const { body, signal } = given;
    if (body != null && typeof body !== "string") throw new TypeError("Unsupported body");
    const sent = request(url, { method, headers: Object.fromEntries(headers) }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      const answered = new Headers(answer.headers as Record<string, string>);
      resolve({ status: answer.statusCode, headers: answered, url, text: async () => text });
    });
    const fail = (name: string) => () => {
      sent.destroy();
      reject(Object.assign(new Error(name), { name }));
    };
    signal?.addEventListener("abort", fail("AbortError"));
    sent.on("error", fail("TypeError")).end(body ?? undefined);
  });

const [, , url = ""] = process.argv;
// These signals lack `reason`, `throwIfAborted`, `any` and `timeout`.
const { AbortController: OldController, AbortSignal: OldSignal } = polyfills;
Object.assign(globalThis, { AbortController: OldController, AbortSignal: OldSignal });
// Node's own `process` would tell the client that bodies may be streams.
const missing = { ReadableStream: undefined, setImmediate: undefined };
Object.assign(globalThis, { ...missing, fetch: oldFetch, Request: OldRequest });
Object.defineProperty(globalThis, "navigator", { value: { product: "ReactNative" } });

const sdk = await import("../../../src/client/index.ts");
const client = sdk.createClient({ baseUrl: url, apiKey: null, callIds: true, maxRetries: 0 });
const { jobs } = client;
const job = { action: "generate-ad", prompt: "Lemonade" } as const;
const silent = { ...job, prompt: "silent" };

const tell = async (
  what: string,
  call: (signal: AbortSignal) => Promise<unknown>,
  abortMs = -1,
) => {
  const controller = new AbortController();
  if (abortMs === 0) controller.abort();
  if (abortMs > 0) setTimeout(() => controller.abort(), abortMs);
  const { ok, error } = await sdk.toResult(call(controller.signal));
  console.log(`${what}: ${ok ? "ok" : `${error.code} ${error.name}`}`);
};

const readAll = async (results: AsyncIterable<{ error?: Error | undefined }>): Promise<void> => {
  for await (const { error } of results) if (error) throw error;
};

await tell("list", () => jobs.list());
await tell("submit", () => jobs.submit(job));
await tell("submitAndPoll", (signal) => jobs.submitAndPoll(job, { signal, intervalMs: 0 }));
await tell("submit, aborted before", (signal) => jobs.submit(job, { signal }), 0);
await tell("get, aborted", (signal) => jobs.get("silent", { signal }), 50);
await tell("submit, aborted", (signal) => jobs.submit(silent, { signal }), 50);
await tell("pollJob, aborted in a sleep", (signal) => sdk.pollJob(client, "busy", { signal }), 50);
await tell("get, too slow", () => jobs.get("silent", { timeoutMs: 50 }));
const { submitMany } = sdk;
await tell("submitMany", (signal) => readAll(submitMany(client, [job], { signal, intervalMs: 0 })));
await tell(
  "submitMany, aborted",
  (signal) => readAll(submitMany(client, [silent], { signal })),
  50,
);
process.exit();
