// Makes calls while other code has polluted Object.prototype, and prints how each of them ended.
import { createClient, toResult } from "../../../src/index.ts";

const [ownUrl = "", evilUrl = "", descriptor = "enumerable"] = process.argv.slice(2);
process.env["ADGEN_BASE_URL"] = ownUrl;

const gadgets: Readonly<Record<string, unknown>> = {
  prefix: evilUrl,
  baseUrl: evilUrl,
  url: evilUrl,
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
  hooks: { onRequest: () => console.log("the hook was called") },
  maxRetries: 10,
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
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: descriptor === "enumerable",
  });
  const submit = async () => {
    const client = createClient({ apiKey: "test-key" });
    return client.jobs.submit({ action: "generate-ad", prompt: name }, { maxRetries: 0 });
  };
  const read = async () => createClient({ apiKey: "test-key" }).jobs.get("job-1");
  const list = async () => createClient({ apiKey: "test-key" }).jobs.list();
  try {
    const endings = [await endOf(submit), await endOf(read), await endOf(list)];
    console.log(`${name}: ${endings.join(", ")}`);
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}
