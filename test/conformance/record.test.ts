import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runRecord } from "../../mocks/conformance/record/run-record.ts";
import { type MockServer, startMockServer } from "../../mocks/server.ts";
import { listen } from "../helpers/http-server.ts";

const key = 'test-"key/1';
const authorization = `Bearer ${key}`;
let server: MockServer;

beforeEach(async () => {
  server = await startMockServer({ accounts: { [key]: {} } });
});
afterEach(() => server.close());

/** Runs the command in this process, until it ends or is stopped. */
const run = (args: readonly string[], signal: AbortSignal) => {
  const [lines, errors]: [string[], string[]] = [[], []];
  const ended = runRecord(["--port", "0", ...args], {
    env: {},
    signal,
    print: (text) => lines.push(text),
    printError: (text) => errors.push(text),
  });
  return { lines, errors, ended, printed: () => [...lines, ...errors].join("\n") };
};

/** Starts the command before a service. */
const start = async (to: string, ...args: readonly string[]) => {
  const stop = new AbortController();
  const running = run(["--to", to, ...args], stop.signal);
  await expect.poll(running.printed).toContain("ADGEN_BASE_URL=");
  const url = /ADGEN_BASE_URL=(\S+)/.exec(running.printed())?.[1] ?? "";
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization, ...init.headers } });
  const submit = (init: RequestInit = {}) => {
    const body = JSON.stringify({ action: "generate-ad-copy", prompt: `do not print ${key}` });
    const headers = { "content-type": "application/json" };
    return ask("/v1/jobs", { method: "POST", headers, body, ...init });
  };
  const end = () => {
    stop.abort();
    return running.ended;
  };
  return { ...running, url, ask, submit, end };
};

describe("adgen-mock record", () => {
  test("passes requests on once, and lists what they show", async () => {
    const { url, lines, errors, ask, submit, end } = await start(server.url);
    const answer = await submit();
    expect(answer.status).toBe(202);
    const { data } = await answer.json();
    const job = await (await ask(`/v1/jobs/${data.job_id}?view=all`)).json();
    expect(job).toMatchObject({ success: true, data: { job_id: data.job_id } });
    const refused = await fetch(`${url}/v1/jobs`);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(server.service.journal.find({ operation: "jobs.submit" })).toHaveLength(1);
    expect(await end()).toBe(0);
    expect(errors).toEqual([]);
    const printed = lines.join("\n");
    expect(printed).toContain("POST /v1/jobs 202");
    for (const held of ["A1", "A2", "A3", "A15", "A20", "A22"]) {
      expect(printed).toMatch(new RegExp(`^✓ ${held} +holds`, "m"));
    }
    expect(printed).toContain("- A19 not seen");
    expect(lines.at(-1)).toMatch(/^3 exchanges: 6 of 23 assumptions hold, 0 differ, 17 were not/);
  });

  test("tells a difference once, when it is seen first, and counts it", async () => {
    const body = { success: true, data: { items: [] }, error: null };
    server.service.faults.play({ kind: "status", status: 200, accepted: true, body }, { times: 3 });
    const { lines, ask, end } = await start(server.url);
    for (let time = 0; time < 3; time++) await ask("/v1/jobs");
    await end();
    const printed = lines.join("\n");
    const difference = "a list is in `items`, not in `jobs`";
    expect(printed.split(`A4 differs: ${difference}`)).toHaveLength(2);
    expect(printed).toContain(`~ A4  differs   ${difference}; 3 of 3 answers`);
    expect(printed).toMatch(/^✗ GET \/v1\/jobs 200: .* \(3\)$/m);
  });

  test("prints, writes and shows to this machine no key, nor a part of one in a text that it cuts", async () => {
    const folder = mkdtempSync(join(tmpdir(), "adgen-record-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "session.jsonl");
    const long = `sk-live-${"0123456789".repeat(4)}`;
    const cutError = `Incorrect API key was provided for this ad workspace: ${long} x`;
    const { faults } = server.service;
    for (const error of [`Who is ${key}?`, cutError]) {
      const body = { success: false, data: null, error };
      faults.play({ kind: "status", status: 401, body }, { operation: "jobs.list" });
    }
    const { url, printed, ask, submit, end } = await start(server.url, "--write", path);
    await submit();
    await ask(`/v1/jobs?of=${encodeURIComponent(key)}`);
    await ask("/v1/jobs", { headers: { authorization: `Bearer ${long}` } });
    const answer = await fetch(`${url}/__mock/`);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await answer.text();
    const css = await fetch(`${url}/__mock/page.css`);
    expect(css.headers.get("content-type")).toContain("text/css");
    const origin = "https://evil.example";
    expect((await fetch(`${url}/__mock/`, { headers: { origin } })).status).toBe(403);
    await end();
    const written = readFileSync(path, "utf8");
    const exchanges = written.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line)));
    expect(exchanges).toHaveLength(3);
    expect(exchanges[0]).toMatchObject({
      question: { method: "POST", path: "/v1/jobs", body: expect.stringContaining("print ***") },
      reply: { status: 202 },
    });
    for (const text of [printed(), page, written]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(JSON.stringify(key).slice(1, -1));
      expect(text).not.toContain(encodeURIComponent(key));
      expect(text).not.toContain("sk-live-");
    }
    for (const words of ["3 exchanges", " of 23 assumptions hold"]) expect(page).toContain(words);
  });

  test("breaks the connection where the service does, and sends nothing again", async () => {
    const broken = await listen(({ socket }) => socket?.destroy());
    const { lines, errors, submit, end } = await start(`${broken.url}/below/`);
    await expect(submit()).rejects.toThrow("fetch failed");
    expect(broken.received.map(({ url }) => url)).toEqual(["/below/v1/jobs"]);
    expect(errors.join("\n")).toContain("POST /v1/jobs: no answer: ");
    expect(errors.join("\n")).toContain("may be done, and charged");
    await end();
    expect(lines.at(-1)).toMatch(/^0 exchanges, and 1 request without an answer: /);
  });

  test("waits at its end for the answers under way, and hands them on", async () => {
    server.service.faults.play({ kind: "latency", ms: 300 });
    const { lines, errors, submit, end } = await start(server.url);
    const answer = submit();
    await expect.poll(() => server.service.journal.count).toBe(1);
    const ended = end();
    expect((await answer).status).toBe(202);
    expect(await ended).toBe(0);
    expect(errors).toEqual(["Waiting for 1 under way; Ctrl-C again ends at once"]);
    expect(lines.at(-1)).toMatch(/^1 exchange/);
  });

  test("notes the answer to a paid request whose client has left", async () => {
    server.service.faults.play({ kind: "latency", ms: 200 });
    const { printed, submit, end } = await start(server.url);
    const client = new AbortController();
    const left = submit({ signal: client.signal });
    await expect.poll(() => server.service.journal.count).toBe(1);
    client.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(printed).toContain("POST /v1/jobs 202");
    await end();
  });

  test("hands on bytes as they are", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const echo = createServer((incoming, outgoing) => void incoming.pipe(outgoing));
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void echo.close());
    const to = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const { ask, end } = await start(to);
    const answer = await ask("/any", { method: "POST", body: bytes });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    await end();
  });

  test("asks for no compression, and lets no body become a second request", async () => {
    const service = await listen((response) => response.end("{}"));
    const { ask, end } = await start(service.url);
    const smuggled = "POST /v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n";
    const body = new Blob([smuggled]).stream();
    await ask("/v1/brands/b", { method: "DELETE", body, duplex: "half" } as RequestInit);
    await end();
    const [request, ...others] = service.received;
    expect(request).toMatchObject({ method: "DELETE", body: smuggled });
    expect([request?.headers["accept-encoding"], others]).toEqual(["identity", []]);
  });

  const to = ["--to", "http://x.test"];

  test.each([
    ["no service", [], "--to is missing"],
    ["an address with the version", ["--to", "http://x.test/v1/"], "--to must not end in /v1"],
    ["another scheme", ["--to", "ftp://x.test"], "--to must be"],
    ["a port that is none", [...to, "--port", "http"], "--port must be"],
    ["a file that cannot be written", [...to, "--write", "/"], "EISDIR"],
    ["an option that there is not", ["--speed"], "--speed"],
  ])("refuses %s", async (_, args, message) => {
    const { ended, errors } = run(args, AbortSignal.abort());
    expect(await ended).toBe(2);
    expect(errors.join("\n")).toContain(message);
  });

  test("explains itself", async () => {
    const { ended, lines } = run(["--help"], AbortSignal.abort());
    expect(await ended).toBe(0);
    expect(lines[0]).toMatch(/^Usage: adgen-mock record/);
  });
});
