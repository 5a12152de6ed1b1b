// Starts each server of the guide about proxies, with a service of a few lines behind it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createServer, type InlineConfig } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { entries, specifierOf } from "../../tools/entries.ts";
import { writeRecipe } from "../helpers/doc-blocks.ts";
import { type Answer, type HttpServer, listen, type Received } from "../helpers/http-server.ts";
import { startProgram } from "../helpers/run-command.ts";

/** Sends a request to a mounted proxy, by its path below the place where it is mounted. */
type Send = (path: string, init?: RequestInit) => Promise<Response>;

const guide = "docs/guides/pages.md";
const closers: (() => unknown)[] = [];
const { Request: PlainRequest, Response: PlainResponse } = globalThis;

/** The lines that mount the proxy, by their place in the guide's table. */
const lines = Array.from(
  readFileSync(guide, "utf8").matchAll(/^\| ([\w, ]+) \| [^|]*\| `(.+;)` \|$/gm),
  ([, place = "", line = ""]) => [place, line] as const,
);

const importProxy = 'import { proxy } from "./proxy.ts";\n';

/** Makes a whole server of a line of the guide's table. */
const programOf = (place: string, line: string): string =>
  place === "Hono"
    ? `import { serve } from "@hono/node-server";
import { Hono } from "hono";
${importProxy}const app = new Hono();
${line}
serve({ fetch: app.fetch, port: 3000 });
`
    : importProxy + line;

/** Stands for Next's package: gives the cookie of the request that runs in `requests`. */
const nextHeaders = `
import { AsyncLocalStorage } from "node:async_hooks";
export const requests = new AsyncLocalStorage();
export const cookies = async () => {
  const text = requests.getStore().headers.get("cookie") ?? "";
  const pairs = new Map(text.split("; ").map((pair) => pair.split("=")));
  return { get: (name) => pairs.has(name) ? { value: pairs.get(name) } : undefined };
};
`;

let folder: string;
let service: HttpServer;
let release = (): void => {};
const jobs: object[] = [];

/** Gives each submission a job; one with the prompt "slow" waits until it is released. */
const answer: Answer = async (response, { method, url, body }: Received) => {
  const write = (status: number, data: object): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data, error: null }));
  };
  const [, id] = /jobs\/(.+)/.exec(url ?? "") ?? [];
  if (id) return write(200, { ...jobs.find((job) => (job as { job_id: string }).job_id === id) });
  if (method === "GET") return write(200, { jobs: [...jobs, { job_id: "foreign", status: url }] });
  const job = { job_id: `job-${jobs.push({}) - 1}`, status: "queued" };
  jobs[jobs.length - 1] = job;
  if (body.includes("slow")) {
    await new Promise<void>((released) => {
      release = released;
    });
  }
  write(202, job);
};

beforeAll(async () => {
  service = await listen(answer);
  vi.stubEnv("ADGEN_BASE_URL", service.url);
  vi.stubEnv("ADGEN_API_KEY", "the-key");
  folder = writeRecipe(guide, (code) =>
    code.replace(
      /(store: createMemoryStore\(\)|userOf, store)(?=,| \})/,
      "$1, maxRequestBytes: 1000",
    ),
  );
  for (const [place, line] of lines) {
    writeFileSync(join(folder, `${place}.ts`), programOf(place, line));
  }
  // Take the parser that has to come first from the text of the guide.
  const [, parser = "none"] =
    /`(express\.json\(\{.+?\}\))`/.exec(readFileSync(guide, "utf8")) ?? [];
  const express = readFileSync(join(folder, "express.ts"), "utf8")
    .replace("app.use(express.json()); // after the proxy\n", "")
    .replace("app.use(", `app.use(${parser});\napp.use(`);
  writeFileSync(join(folder, "express-after-parser.ts"), express);
  const next = join(folder, "node_modules/next");
  mkdirSync(next, { recursive: true });
  writeFileSync(join(next, "server.mjs"), "export const after = () => {};\n");
  writeFileSync(join(next, "headers.mjs"), nextHeaders);
  const exports = { "./server": "./server.mjs", "./headers": "./headers.mjs" };
  writeFileSync(join(next, "package.json"), JSON.stringify({ name: "next", exports }));
});

afterEach(() => release());

afterAll(async () => {
  for (const close of closers) await close();
  vi.unstubAllEnvs();
  Reflect.deleteProperty(globalThis, "adgenStore");
  // Restore the two globals, which the adapter has replaced by its own classes.
  Object.defineProperty(globalThis, "Request", { value: PlainRequest });
  Object.defineProperty(globalThis, "Response", { value: PlainResponse });
});

const load = (file: string) => import(pathToFileURL(join(folder, file)).href);

/** Starts a program of the guide. */
const start = async (file: string): Promise<Send> => {
  const { url, close } = await startProgram(() => load(file));
  closers.push(close);
  return (path, init) => fetch(`${url}/adgen${path}`, init);
};

/** Calls a handler of a framework that is not installed here. */
const call =
  (handler: (request: Request) => Promise<Response>): Send =>
  (path, init) =>
    handler(new Request(`http://127.0.0.1/adgen${path}`, init));

const mounts: Readonly<Record<string, () => Promise<Send>>> = {
  Hono: () => start("Hono.ts"),
  Express: () => start("express.ts"),
  "Express after its parser": () => start("express-after-parser.ts"),
  Fastify: () => start("fastify.ts"),
  "Next.js": async () => {
    const route = await load("app/adgen/[...path]/route.ts");
    const { requests } = await load("node_modules/next/headers.mjs");
    return call((request) => requests.run(request, () => route[request.method](request)));
  },
  SvelteKit: async () => {
    const { fallback } = await load("SvelteKit.ts");
    return call((request) => fallback({ request }));
  },
  "React Router": async () => {
    const { loader, action } = await load("React Router, Remix.ts");
    return call((request) => (request.method === "POST" ? action : loader)({ request }));
  },
  "Bun and Deno": async () => {
    const program = await load("Bun, Deno.ts");
    return call((request) => program.default.fetch(request));
  },
};

const cookie = "theme=dark; session=anna-signed-in";
const post = (id: string, prompt: string): RequestInit => ({
  method: "POST",
  headers: { cookie, "content-type": "application/json", "idempotency-key": id },
  body: JSON.stringify({ action: "generate-ad", prompt }),
});

/** Requests of submissions that hold a prompt, as they came to the service. */
const submitted = (prompt: string): readonly Received[] =>
  service.received.filter(({ body }) => body.includes(prompt));

describe.each(Object.entries(mounts))("the program for %s", (name, mount) => {
  let send: Send;
  beforeAll(async () => {
    send = await mount();
  });

  test("answers pages, and pays once for each submission", async () => {
    const id = name.replace(/\W+/g, "-");

    expect((await send("/v1/jobs")).status).toBe(401);

    const prompt = `from ${name}`;
    const first = await send("/v1/jobs", post(id, prompt));
    expect(first.status).toBe(202);
    const again = await send("/v1/jobs", post(id, prompt));
    const { data } = await first.json();
    expect(await again.json()).toEqual({ success: true, data, error: null });
    expect(submitted(prompt)).toHaveLength(1);
    const { headers } = submitted(prompt)[0] as Received;
    expect(headers).toMatchObject({ authorization: "Bearer the-key" });
    expect(headers).not.toHaveProperty("cookie");

    const list = await send("/v1/jobs", { headers: { cookie } });
    const page = await list.json();
    expect(page.data.jobs).toContainEqual(data);
    expect(JSON.stringify(page)).not.toContain("foreign");

    const head = await send("/v1/jobs", { method: "HEAD", headers: { cookie } });
    expect([head.status, await head.text()]).toEqual([200, ""]);

    const large = await send("/v1/jobs", post(`${id}-large`, "x".repeat(2000)));
    expect([large.status, (await large.json()).success]).toEqual([413, false]);
  });

  test("ends a submission whose page has gone, and keeps its answer", async () => {
    const prompt = `slow, from ${name}`;
    const id = `gone-${name.replace(/\W+/g, "-")}`;
    const tab = new AbortController();

    const submission = send("/v1/jobs", { ...post(id, prompt), signal: tab.signal });
    submission.catch(() => {});
    await expect.poll(() => submitted(prompt)).toHaveLength(1);
    tab.abort();
    release();

    const again = await send("/v1/jobs", post(id, prompt));
    expect(again.status).toBe(202);
    expect(submitted(prompt)).toHaveLength(1);
  });
});

/** Starts Vite in the guide's folder. */
const startVite = async (options: InlineConfig): Promise<string> => {
  const vite = await createServer({
    ...options,
    configFile: false,
    root: folder,
    logLevel: "error",
    cacheDir: join(folder, "cache"),
    optimizeDeps: { noDiscovery: true },
    server: { ...options.server, port: 0, host: "127.0.0.1", ws: false, watch: null },
  });
  closers.push(() => vite.close());
  await vite.listen();
  return vite.resolvedUrls?.local[0] ?? "";
};

test("Vite's dev server answers the page and its requests", async () => {
  writeFileSync(join(folder, "index.html"), '<script type="module" src="page.ts"></script>');
  const { default: config } = await load("vite.config.ts");
  // The guide's reader has installed the package; here its names lead to the sources.
  const alias = Object.entries(entries)
    .toReversed()
    .map(([entry, source]) => ({ find: specifierOf(entry), replacement: resolve(source) }));
  const url = await startVite({ ...config, resolve: { alias } });

  const page = await fetch(`${url}page.ts`);
  expect([page.status, (await page.text()).includes("the-key")]).toEqual([200, false]);
  const submission = await fetch(`${url}adgen/v1/jobs`, post("vite", "from Vite"));
  expect(submission.status).toBe(202);
  expect(submitted("from Vite")).toHaveLength(1);
});

test("Vite before a server hands over the request with its Host", async () => {
  const [, told = "none"] = /`server: (\{ proxy: .+?\})`/.exec(readFileSync(guide, "utf8")) ?? [];
  const config = `export default { server: ${told.replace("http://localhost:3000", service.url)} };`;
  writeFileSync(join(folder, "vite-before.config.ts"), config);
  const url = await startVite((await load("vite-before.config.ts")).default);
  await fetch(`${url}adgen/v1/jobs`, { method: "POST", body: "{}" });
  const received = service.received.map(({ headers }) => headers["host"]);
  expect(received.at(-1)).toBe(new URL(url).host);
});
