// The app of the guide for Playwright: a page, the way to its proxy, and a server of its own.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const { PORT, ADGEN_BASE_URL, API_KEY_FILE = "" } = process.env;
const { apiKeyFor } = await import(pathToFileURL(API_KEY_FILE).href);

const page = `<!doctype html><title>Ads</title><button>Generate</button><p role="alert"></p>
<script type="module">
  const alert = document.querySelector("[role=alert]");
  const call = async (path, init) => {
    const response = await fetch("/api/ads/v1/" + path, init);
    const { data, error } = await response.json();
    if (response.status === 429) throw new Error("Please try again later.");
    if (error !== null) throw new Error(error);
    return data;
  };
  const generate = async () => {
    const body = JSON.stringify({ action: "generate-ad", prompt: "Summer sale" });
    const headers = { "content-type": "application/json" };
    let job = await call("jobs", { method: "POST", body, headers });
    while (!["completed", "failed"].includes(job.status)) job = await call("jobs/" + job.job_id);
    const picture = document.body.appendChild(new Image());
    picture.src = job.result.images[0].url;
  };
  document.querySelector("button").onclick = () => generate().catch((error) => {
    alert.textContent = error.message;
  });
</script>`;

/** Submits a job on the server, with the key for the browser's request. */
const order = async (cookie: string): Promise<string> => {
  const key = apiKeyFor(new Request("http://localhost/order", { headers: { cookie } }));
  const response = await fetch(`${ADGEN_BASE_URL}/v1/jobs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ action: "copy-ad" }),
  });
  const { data, error } = (await response.json()) as { data?: { status: string }; error?: string };
  return `<!doctype html><title>Order</title><p role="status">${data?.status ?? error}</p>`;
};

createServer(async (incoming, outgoing) => {
  outgoing.setHeader("content-type", "text/html");
  if (incoming.url === "/order") outgoing.end(await order(incoming.headers.cookie ?? ""));
  else if (incoming.url?.startsWith("/api/")) outgoing.writeHead(500).end("not led to the mock");
  else outgoing.end(page);
}).listen(Number(PORT), "127.0.0.1");
