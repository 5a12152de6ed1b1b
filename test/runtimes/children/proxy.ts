// Bundled and run by test/runtimes/proxy.test.ts, in each runtime: a proxy of the service at the URL.
import { createClient, isAdGenError, toResult } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { createMemoryStore, createProxy } from "adgen-sdk/proxy";

declare const Deno: { readonly args: readonly string[] } | undefined;

/** Lets two people submit through one proxy, one of them twice with one call id. */
export const playProxy = async (baseUrl: string): Promise<unknown> => {
  const proxy = createProxy({
    baseUrl,
    apiKey: "test-key",
    authorize: (request) => request.headers.get("x-user"),
    store: createMemoryStore(),
    limits: [{ windowMs: 86_400_000, jobs: 2 }],
  });
  const clientOf = (user: string) =>
    createClient({
      baseUrl: "http://page.test/adgen",
      apiKey: null,
      headers: { "x-user": user },
      fetch: (request) => proxy(request),
      schemas: assumedSchemas,
    });
  const submit = async (): Promise<string> => {
    const request = new Request("http://page.test/adgen/v1/jobs", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "1", "x-user": "ann" },
      body: JSON.stringify({ action: "generate-ad", variations: 2 }),
    });
    return (await proxy(request)).text();
  };
  const [first, again] = await Promise.all([submit(), submit()]);
  const ann = clientOf("ann");
  const job = await ann.jobs.submitAndPoll({ action: "video-a-2", duration: 5 });
  const tooMany = await toResult(ann.jobs.submit({ action: "generate-ad" }));
  const foreign = await toResult(clientOf("ben").jobs.get(job.job_id));
  return {
    isRepeated: first === again,
    seconds: job.status === "completed" && job.result.videos[0]?.duration,
    tooMany: !tooMany.ok && isAdGenError(tooMany.error) && tooMany.error.code,
    foreign: !foreign.ok && foreign.error.code,
    listed: [
      (await ann.jobs.list()).items.length,
      (await clientOf("ben").jobs.list()).items.length,
    ],
    used: (await proxy.usage("ann"))[0]?.used,
  };
};

const [url] = (typeof Deno === "undefined" ? globalThis.process?.argv : Deno.args)?.slice(-1) ?? [];
if (url !== undefined) console.log(JSON.stringify(await playProxy(url)));
