import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runRecord } from "../../mocks/conformance/record/run-record.ts";
import { type MockServer, startMockServer } from "../../mocks/server.ts";

const key = 'test-"key/1';
let server: MockServer;
let folder: string;

beforeEach(async () => {
  server = await startMockServer({ accounts: { [key]: {} } });
  folder = mkdtempSync(join(tmpdir(), "adgen-record-"));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Runs the command in this process until it is stopped. */
const start = async (...args: readonly string[]) => {
  const [lines, errors]: [string[], string[]] = [[], []];
  const stop = new AbortController();
  const ended = runRecord(["--port", "0", ...args], {
    env: {},
    signal: stop.signal,
    print: (text) => lines.push(text),
    printError: (text) => errors.push(text),
  });
  await expect.poll(() => lines.join("\n")).toContain("ADGEN_BASE_URL=");
  const url = /ADGEN_BASE_URL=(\S+)/.exec(lines.join("\n"))?.[1] ?? "";
  const end = () => {
    stop.abort();
    return ended;
  };
  return { url, lines, errors, end };
};

const authorization = `Bearer ${key}`;

const submit = (url: string): Promise<Response> =>
  fetch(`${url}/v1/jobs`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ action: "generate-ad-copy", prompt: `do not print ${key}` }),
  });

describe("adgen-mock record", () => {
  test("passes requests on once, and lists what they show", async () => {
    const { url, lines, errors, end } = await start("--to", server.url);
    const answer = await submit(url);
    expect(answer.status).toBe(202);
    const { data } = await answer.json();
    const job = await fetch(`${url}/v1/jobs/${data.job_id}?view=all`, {
      headers: { authorization },
    });
    expect(await job.json()).toMatchObject({ success: true, data: { job_id: data.job_id } });
    const refused = await fetch(`${url}/v1/jobs`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(server.service.journal.find({ operation: "jobs.submit" })).toHaveLength(1);
    expect(await end()).toBe(0);
    expect(errors).toEqual([]);
    const printed = lines.join("\n");
    expect(printed).toContain("POST /v1/jobs 202");
    for (const held of ["A1", "A2", "A3", "A15", "A20", "A22"]) {
      expect(printed).toMatch(new RegExp(`^✓ ${held} +holds`, "m"));
    }
    expect(printed).toContain("- A19 not seen");
    expect(lines.at(-1)).toMatch(/^3 exchanges: 6 of 22 assumptions hold, 0 differ, 16 were not/);
  });

  test("tells a difference once, when it is seen first, and counts it", async () => {
    server.service.faults.play(
      {
        kind: "status",
        status: 200,
        accepted: true,
        body: { success: true, data: { items: [] }, error: null },
      },
      { operation: "jobs.list", times: 3 },
    );
    const { url, lines, end } = await start("--to", server.url);
    for (let time = 0; time < 3; time++) {
      await fetch(`${url}/v1/jobs`, { headers: { authorization } });
    }
    await end();
    const printed = lines.join("\n");
    const difference = "a list is in `items`, not in `jobs`";
    expect(printed.split(`A4 differs: ${difference}`)).toHaveLength(2);
    expect(printed).toContain(`~ A4  differs   ${difference}; 3 of 3 answers`);
    expect(printed).toMatch(/^✗ GET \/v1\/jobs 200: .* \(3\)$/m);
  });

  test("prints, shows and writes no key", async () => {
    const path = join(folder, "session.jsonl");
    server.service.faults.play(
      { kind: "status", status: 418, body: { error: `Who is ${key}?` } },
      { operation: "jobs.list", times: 1 },
    );
    const { url, lines, errors, end } = await start("--to", server.url, "--write", path);
    await submit(url);
    await fetch(`${url}/v1/jobs?of=${encodeURIComponent(key)}`, { headers: { authorization } });
    const page = await (await fetch(`${url}/__mock/`)).text();
    await end();
    const written = readFileSync(path, "utf8");
    const exchanges = written
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(exchanges).toHaveLength(2);
    expect(exchanges[0]).toMatchObject({
      question: { method: "POST", path: "/v1/jobs", body: expect.stringContaining("print ***") },
      reply: { status: 202 },
    });
    for (const text of [...lines, ...errors, page, written]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(JSON.stringify(key).slice(1, -1));
      expect(text).not.toContain(encodeURIComponent(key));
    }
    expect(page).toContain("2 exchanges");
  });

  test("shows its page to this machine alone", async () => {
    const { url, end } = await start("--to", server.url);
    const page = await fetch(`${url}/__mock/`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toContain("0 of 22 assumptions hold");
    const css = await fetch(`${url}/__mock/page.css`);
    expect(css.headers.get("content-type")).toContain("text/css");
    const other = await fetch(`${url}/__mock/`, { headers: { origin: "https://evil.example" } });
    expect(other.status).toBe(403);
    await end();
  });

  test("breaks the connection where the service does, and sends nothing again", async () => {
    let requests = 0;
    const broken = createServer((incoming) => {
      requests += 1;
      incoming.resume().on("end", () => incoming.socket.destroy());
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const to = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/below/`;
    const { url, lines, errors, end } = await start("--to", to);
    await expect(submit(url)).rejects.toThrow("fetch failed");
    expect(requests).toBe(1);
    expect(errors.join("\n")).toContain("POST /v1/jobs: no answer: ");
    expect(errors.join("\n")).toContain("may be done, and charged");
    await end();
    expect(lines.at(-1)).toMatch(/^0 exchanges, and 1 requests without an answer: /);
    broken.close();
  });

  test("waits at its end for the answers under way, and hands them on", async () => {
    server.service.faults.play(
      { kind: "latency", ms: 300 },
      { operation: "jobs.submit", times: 1 },
    );
    const { url, lines, errors, end } = await start("--to", server.url);
    const answer = submit(url);
    await expect.poll(() => server.service.journal.count).toBe(1);
    const ended = end();
    expect((await answer).status).toBe(202);
    expect(await ended).toBe(0);
    expect(errors).toEqual(["Waiting for 1 under way; Ctrl-C again ends at once"]);
    expect(lines.at(-1)).toMatch(/^1 exchange/);
  });

  test("notes the answer to a paid request whose client has left", async () => {
    server.service.faults.play(
      { kind: "latency", ms: 200 },
      { operation: "jobs.submit", times: 1 },
    );
    const { url, lines, end } = await start("--to", server.url);
    const client = new AbortController();
    const left = fetch(`${url}/v1/jobs`, {
      method: "POST",
      headers: { authorization },
      body: '{"action":"generate-ad"}',
      signal: client.signal,
    });
    await expect.poll(() => server.service.journal.count).toBe(1);
    client.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => lines.join("\n")).toContain("POST /v1/jobs 202");
    await end();
  });

  test("hands on bytes as they are", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const echo = createServer((incoming, outgoing) => void incoming.pipe(outgoing));
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    const to = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const { url, end } = await start("--to", to);
    const answer = await fetch(`${url}/any`, { method: "POST", body: bytes });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    await end();
    echo.close();
  });

  test("asks for no compression, and lets no body become a second request", async () => {
    const seen: [string | undefined, string | undefined, string][] = [];
    const service = createServer(async (incoming, outgoing) => {
      let body = "";
      for await (const chunk of incoming) body += chunk;
      const { method, headers } = incoming;
      seen.push([method, headers["accept-encoding"] as string | undefined, body]);
      outgoing.end("{}");
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const to = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const { url, end } = await start("--to", to);
    const smuggled = "POST /v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n";
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(smuggled));
        controller.close();
      },
    });
    const chunked = { method: "DELETE", body, duplex: "half" } as RequestInit;
    await fetch(`${url}/v1/brands/b`, chunked);
    await end();
    expect(seen).toEqual([["DELETE", "identity", smuggled]]);
    service.close();
  });

  test("hides a key before it cuts a text", async () => {
    const long = `sk-live-${"0123456789".repeat(4)}`;
    server.service.faults.play(
      {
        kind: "status",
        status: 401,
        body: {
          success: false,
          data: null,
          error: `Incorrect API key was provided for this ad workspace: ${long} x`,
        },
      },
      { operation: "jobs.list", times: 1 },
    );
    const { url, lines, end } = await start("--to", server.url);
    await fetch(`${url}/v1/jobs`, { headers: { authorization: `Bearer ${long}` } });
    const page = await (await fetch(`${url}/__mock/`)).text();
    await end();
    for (const text of [...lines, page]) expect(text).not.toContain("sk-live-");
  });

  test.each([
    ["no service", [], "--to is missing"],
    ["an address with the version", ["--to", "http://x.test/v1/"], "--to must not end in /v1"],
    ["another scheme", ["--to", "ftp://x.test"], "--to must be"],
    ["a port that is none", ["--to", "http://x.test", "--port", "http"], "--port must be"],
    ["a file that cannot be written", ["--to", "http://x.test", "--write", "/"], "EISDIR"],
    ["an option that there is not", ["--speed"], "--speed"],
  ])("refuses %s", async (_, args, message) => {
    const errors: string[] = [];
    const surroundings = { env: {}, signal: AbortSignal.abort(), print: () => {} };
    const printError = (text: string) => errors.push(text);
    expect(await runRecord(["--port", "0", ...args], { ...surroundings, printError })).toBe(2);
    expect(errors.join("\n")).toContain(message);
  });

  test("explains itself", async () => {
    const lines: string[] = [];
    const print = (text: string) => lines.push(text);
    const surroundings = { env: {}, signal: AbortSignal.abort(), print, printError: print };
    expect(await runRecord(["--help"], surroundings)).toBe(0);
    expect(lines[0]).toMatch(/^Usage: adgen-mock record/);
  });
});
