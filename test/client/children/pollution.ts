// Makes calls while other code has polluted Object.prototype, and prints how each of them ended.
const [ownUrl = "", evilUrl = "", descriptor = ""] = process.argv.slice(2);
Object.assign(process.env, { ADGEN_BASE_URL: ownUrl, ADGEN_API_KEY: "test-key" });

const gadgets: Readonly<Record<string, unknown>> = {
  ...{ prefix: evilUrl, baseUrl: evilUrl, url: evilUrl, input: evilUrl, relative: evilUrl },
  method: "PUT",
  json: { action: "video-b-3-0" },
  body: '{"action":"video-b-3-0"}',
  searchParams: { polluted: "1" },
  onDownloadProgress: "x",
  onUploadProgress: "x",
  headers: { authorization: "Bearer polluted", "x-polluted": "1" },
  fetch: () => fetch(evilUrl),
  ky: () => fetch(evilUrl),
  apiKey: "polluted-key",
  hooks: {
    onRequest: () => console.log("the hook was called"),
    beforeRequest: [() => new Response("{}")],
  },
  onRequest: () => console.log("the observer was called"),
  retry: 9,
  maxRetries: 10,
  coerce: true,
  error: "another's",
  foo: 1,
};

const pollute = (name: string, value: unknown, enumerable: boolean): void => {
  const property = { value, configurable: true, writable: true, enumerable };
  Object.defineProperty(Object.prototype, name, property);
};

pollute("checks", ["x"], false);
const { createClient, toResult } = await import("../../../src/index.ts");
Reflect.deleteProperty(Object.prototype, "checks");

const job = { job_id: "job-1", status: "queued" };
const answer = JSON.stringify({ success: true, data: job, error: null });
const unconnected = createClient({ fetch: async () => new Response(answer, { status: 202 }) });

for (const [name, value] of Object.entries(gadgets)) {
  const early = createClient();
  pollute(name, value, descriptor === "enumerable");
  const request = { action: "generate-ad", prompt: name } as const;
  const calls = [
    () => early.jobs.submit(request, {}),
    () => createClient().jobs.submit(request, { maxRetries: 0 }),
    () => createClient().jobs.get("job-1"),
    () => createClient().brands.listAds("b", {}, { maxRetries: 0 }),
    () => createClient().jobs.list({}),
    () => unconnected.jobs.submit(request),
  ];
  const ends: string[] = [];
  for (const call of calls) ends.push((await toResult<unknown>(call())).error?.code ?? "ok");
  Reflect.deleteProperty(Object.prototype, name);
  console.log(`${name}: ${ends.join(", ")}`);
}
