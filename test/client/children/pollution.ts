// Makes calls while other code has polluted Object.prototype, and prints how each of them ended.
import { createClient, toResult } from "../../../src/index.ts";

const [ownUrl = "", evilUrl = "", descriptor = "enumerable"] = process.argv.slice(2);
process.env["ADGEN_BASE_URL"] = ownUrl;

const hooks = {
  onRequest: () => console.log("the hook was called"),
  beforeRequest: [() => new Response("{}")],
};

const gadgets: Readonly<Record<string, unknown>> = {
  prefix: evilUrl,
  baseUrl: evilUrl,
  url: evilUrl,
  input: evilUrl,
  relative: evilUrl,
  method: "PUT",
  json: { action: "video-b-3-0" },
  body: '{"action":"video-b-3-0"}',
  searchParams: { polluted: "1" },
  onDownloadProgress: "x",
  onUploadProgress: "x",
  headers: { authorization: "Bearer polluted", "x-polluted": "1" },
  fetch: () => fetch(evilUrl),
  apiKey: "polluted-key",
  hooks,
  retry: 9,
  maxRetries: 10,
  foo: 1,
};

/** Names how a call ended; errors that are not typed stand out by their name. */
const endOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    const result = await toResult(call());
    return result.ok ? "ok" : result.error.code;
  } catch (error) {
    return String(error);
  }
};

for (const [name, value] of Object.entries(gadgets)) {
  const early = createClient({ apiKey: "test-key" });
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: descriptor === "enumerable",
  });
  const late = () => createClient({ apiKey: "test-key" });
  const request = { action: "generate-ad", prompt: name } as const;
  const calls = [
    async () => early.jobs.submit(request, {}),
    async () => late().jobs.submit(request, { maxRetries: 0 }),
    async () => late().jobs.get("job-1"),
    async () => late().jobs.list({}, { maxRetries: 0 }),
  ];
  try {
    const endings: string[] = [];
    for (const call of calls) endings.push(await endOf(call));
    console.log(`${name}: ${endings.join(", ")}`);
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}
