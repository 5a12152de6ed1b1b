// Entry for Node, Bun and Deno: plays every case that its argument lists, and prints the results.
import { type ClientOptions, createClient, toResult } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { createProxy } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { submitEach } from "./submit-each.ts";

/** Sends the body as text, to show whether the runtime repeats a request with such a body. */
const sendText = async (request: Request): Promise<Response> => {
  const { url, method, headers, signal } = request;
  const body = method === "POST" ? await request.text() : null;
  return fetch(url, { method, headers, signal, body });
};

/** Functions that send the client's requests. */
const fetches = {
  "its default fetch": undefined,
  "a caller's wrapper": (request) => fetch(request),
  "a plain text body": sendText,
} satisfies Record<string, ClientOptions["fetch"]>;

/** One client against one service. */
export interface Scene {
  readonly sender: keyof typeof fetches;
  readonly url: string;
}

export interface Cases {
  readonly scenes: readonly Scene[];
  readonly prompts: readonly string[];
  /** URL of the service behind the proxy. */
  readonly proxied: string;
}

const play = ({ sender, url }: Scene, prompts: readonly string[]): Promise<string[]> =>
  submitEach(createClient({ baseUrl: url, apiKey: "test-key", fetch: fetches[sender] }), prompts);

/** Lets two people submit through one proxy, one of them twice with one call id. */
const callThroughProxy = async (baseUrl: string) => {
  const proxy = createProxy({
    ...{ baseUrl, apiKey: "test-key", store: createMemoryStore() },
    authorize: (request) => request.headers.get("x-user"),
    limits: { day: { jobs: 2 } },
  });
  const page = { baseUrl: "http://page.test/adgen", apiKey: null, schemas: assumedSchemas };
  const clientOf = (user: string, more = {}) => {
    const headers = { "x-user": user, ...more };
    return createClient({ ...page, headers, fetch: (request) => proxy(request) });
  };
  const named = clientOf("ann", { "idempotency-key": "1" }).jobs;
  const request = { action: "generate-ad", variations: 2 } as const;
  const [first, again] = await Promise.all([named.submit(request), named.submit(request)]);
  const [ann, ben] = [clientOf("ann"), clientOf("ben")];
  const job = await ann.jobs.submitAndPoll({ action: "video-a-2", duration: 5 });
  const tooMany = await toResult(ann.jobs.submit({ action: "generate-ad" }));
  const foreign = await toResult(ben.jobs.get(job.job_id));
  return {
    isRepeated: JSON.stringify(first) === JSON.stringify(again),
    seconds: job.status === "completed" && job.result.videos[0]?.duration,
    failures: [tooMany.error?.code, foreign.error?.code],
    listed: [(await ann.jobs.list()).items.length, (await ben.jobs.list()).items.length],
    used: (await proxy.usage("ann"))[0]?.used,
  };
};

const playAll = async ({ scenes, prompts, proxied }: Cases) => ({
  proxied: await callThroughProxy(proxied),
  // The scenes can run together, because each has its own service, and so its own connections.
  ends: await Promise.all(scenes.map((scene) => play(scene, prompts))),
});

export type Told = Awaited<ReturnType<typeof playAll>>;

console.log(JSON.stringify(await playAll(JSON.parse(process.argv.at(-1) ?? ""))));
// Connections that a fault has left half open would keep the process alive.
process.exit();
