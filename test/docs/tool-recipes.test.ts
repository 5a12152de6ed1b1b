// Plays the recipes for tools, as far as they run without these tools.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "adgen-sdk";
import { expect, onTestFinished, test } from "vitest";
import { cut, firstPrograms } from "../../tools/first-hour/cut-blocks.ts";
import { parts } from "../../tools/first-hour/programs.ts";
import { queued } from "../helpers/answers.ts";
import { readBlocks, writeRecipe } from "../helpers/doc-blocks.ts";
import { guides } from "../helpers/documents.ts";
import { listen } from "../helpers/http-server.ts";
import { runCommand } from "../helpers/run-command.ts";

const path = "docs/guides/recipes.md";
const guide = guides.find((document) => document.path === path) ?? { path, text: "" };
const blocks = readBlocks(guide);

const program = `
  import { createClient, toResult } from "adgen-sdk";
  const client = createClient({ baseUrl: "http://api.example.com", apiKey: "test-key" });
  const { data, error } = await toResult(client.jobs.submit({ action: "generate-ad" }));
  console.log(data?.job_id ?? error.outcome);
`;

/** Runs a program whose only way out is a proxy, and lists what the proxy was asked for. */
const runBehindProxy = async (lets: boolean) => {
  const service = await listen(queued());
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    socket.on("error", () => {});
    if (!lets) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const onward = connect(Number(new URL(service.url).port), "127.0.0.1");
    onward.on("error", () => {});
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("The proxy has no port");
  const hooks = pathToFileURL("test/helpers/from-source.ts").href;
  const command = [process.execPath, "--import", hooks, "--input-type=module", "-e", program];
  const { output } = await runCommand(process.cwd(), command, {
    NODE_USE_ENV_PROXY: "1",
    HTTP_PROXY: `http://127.0.0.1:${address.port}`,
  });
  return { output, asked: new Set(asked), posts: service.received.length };
};

test.each<[how: string, lets: boolean, said: string, count: number]>([
  ["carries a submission", true, "job-1\n", 1],
  ["refuses a submission, which then counts as not sent", false, "not-sent\n", 0],
])(
  "with the guide's variables, the network's proxy %s",
  async (_, lets, said, count) => {
    expect(blocks.some(({ code }) => code.includes("export NODE_USE_ENV_PROXY=1\n"))).toBe(true);
    const { output, asked, posts } = await runBehindProxy(lets);
    expect(output).toContain(said);
    expect([...asked]).toEqual(["api.example.com:80"]);
    expect(posts).toBe(count);
  },
  60_000,
);

const code = blocks.find(({ info }) => info === "dockerfile")?.code ?? "";
const wordsOf = (name: string): string[] =>
  JSON.parse(new RegExp(`^${name} (\\[.+\\])$`, "m").exec(code)?.[1] ?? "[]");

test("the Dockerfile starts a server that answers its health check", async () => {
  const [command, ...options] = [...wordsOf("ENTRYPOINT"), ...wordsOf("CMD")];
  expect(command).toBe("adgen-mock");
  // In this test, the server listens on loopback only, on a free port.
  const args = options.map((word) => (word === "0.0.0.0" ? "127.0.0.1" : word));
  const server = spawn(process.execPath, ["mocks/server/cli.ts", ...args, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (part) => {
      output += part;
      const [, found] = /listens on (\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.on("close", () => reject(new Error(`It ended: ${output}`)));
  });
  const checked = /http:\/\/127\.0\.0\.1:4471(\S+)$/m.exec(code)?.[1] ?? "";
  expect((await fetch(url + checked)).status).toBe(200);
  const ended = new Promise((resolve) => server.on("close", resolve));
  server.kill("SIGTERM");
  expect(await ended).toBe(0);
}, 60_000);

const folder = writeRecipe(path, (code) => code.replace("port: 4471", "port: 0"));
const load = (name: string) => import(pathToFileURL(join(folder, name)).href);

test("the programs for Cypress start a server, and steer it by tasks", async () => {
  const handlers = new Map<string, unknown>();
  const { default: config } = await load("cypress.config.ts");
  const on = (event: string, handler: unknown) => handlers.set(event, handler);
  const { env } = await config.e2e.setupNodeEvents(on, { env: { mine: 1 } });
  const tasks = handlers.get("task") as Record<string, (argument?: unknown) => unknown>;
  onTestFinished(handlers.get("after:run") as () => void);
  expect(env.mine).toBe(1);
  const client = createClient({ baseUrl: env.ADGEN_BASE_URL, apiKey: "test-key" });
  expect(tasks["failNext"]?.("moderation")).toBeNull();
  const failed = await client.jobs.submitAndPoll({ action: "generate-ad" });
  expect(failed).toMatchObject({ status: "failed", error: "moderation" });
  expect(tasks["reset"]?.()).toBeNull();
  expect((await client.jobs.list()).items).toEqual([]);
});

const copied = Object.values(parts)
  .flat()
  .flatMap(({ copies = {} }) => Object.values(copies));

test.each([...new Set(copied)])("%s can be cut out", (place) => {
  expect(cut(place)).not.toBe("");
});

test("tools/first-hour runs a program of each guide's first third", () => {
  const played = new Set(firstPrograms.map(({ path }) => path));
  for (const place of copied) played.add(place.split(" > ")[0] ?? "");
  // test/page/playwright-guide.test.ts plays this guide in Playwright's own runner.
  played.add("docs/testing/playwright.md");
  const early = guides.filter((guide) => {
    const [first] = readBlocks(guide).filter(({ info }) => /^(?:js|ts|python)(?! no)/.test(info));
    const line = Number(first?.place.split(":")[1]);
    return line < guide.text.split("\n").length / 3;
  });
  expect(early.length).toBeGreaterThan(20);
  expect(early.map(({ path }) => path).filter((path) => !played.has(path))).toEqual([]);
});
