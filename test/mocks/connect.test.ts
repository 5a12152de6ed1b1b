import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectMock } from "../../mocks/connect.ts";
import { createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server.ts";
import { connectTo } from "./connect-both.ts";

/** Listens with an answer of its own. Gives the URL, and the requests so far. */
const startStranger = async (status: number, body: string) => {
  const received: string[] = [];
  const server = createServer((incoming, outgoing) => {
    received.push(`${incoming.method} ${incoming.url}`);
    outgoing.writeHead(status, { location: "/elsewhere" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
};

/** Finds a port at which nothing listens. */
const findUnusedUrl = async (): Promise<string> => {
  const server = await startMockServer();
  await server.close();
  return server.url;
};

describe("a server that is steered from elsewhere", () => {
  test("opens an account, plays its part over HTTP, and closes the account again", async () => {
    await using server = await startMockServer();
    const mock = connectMock(server.url);
    let key = "";
    {
      await using account = await mock.openAccount({ credits: { image: { purchased: 2 } } });
      key = account.key;
      await account.jobs.next({ fail: "moderation" });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ action: "generate-ad", prompt: "x" });
      const answer = await fetch(`${mock.url}/v1/jobs`, { method: "POST", headers, body });
      expect(answer.status).toBe(202);
      await account.assertCharges([{ action: "generate-ad", amount: 1, purchased: 1 }]);
      expect(server.service.accounts.map((one) => one.key)).toEqual(["test-key", key]);
    }
    expect(server.service.accounts.map((one) => one.key)).toEqual(["test-key"]);
  });

  test("gives every account another key, and takes a given one", async () => {
    const mock = connectTo(createMockService());
    const made = await Promise.all(Array.from({ length: 20 }, () => mock.openAccount()));
    const keys = made.map(({ key }) => key);
    expect(new Set(keys).size).toBe(20);
    expect(keys.every((key) => /^test-[0-9a-z]{6,}$/.test(key))).toBe(true);
    const { key } = await mock.openAccount({ key: "test-mine" });
    expect(key).toBe("test-mine");
    expect((await mock.accounts()).map((one) => one.key)).toEqual(["test-key", ...keys, key]);
    await expect(mock.openAccount({ key })).rejects.toThrow(/test-mine/);
  });

  test("lists more jobs than one answer holds, with their accounts", async () => {
    const service = createMockService({ accounts: { "test-key": { credits: {} } } });
    const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
    const body = JSON.stringify({ action: "generate-ad-copy", prompt: "x" });
    for (let count = 0; count < 1001; count += 1) {
      await service.fetch("https://ads.test/v1/jobs", { method: "POST", headers, body });
    }
    const mock = connectTo(service);
    const expected = service.jobs.all;
    expect(expected).toHaveLength(1001);
    expect(await mock.account("test-key").jobs.all()).toEqual(expected);
    expect(await mock.account("test-key").jobs.latest(1001)).toEqual(expected);
    const owned = expected.map((job) => ({ ...job, account: "test-key" }));
    expect(await mock.jobs.all()).toEqual(owned);
    const search = { action: "generate-ad-copy", status: ["queued", "failed"] } as const;
    expect(await mock.jobs.search(search)).toEqual(service.jobs.search(search));
    const several = { action: ["edit-ad", "generate-ad-copy"] } as const;
    expect(await mock.jobs.search(several)).toEqual(service.jobs.search(several));
    const none = { status: [] };
    expect(await mock.jobs.search(none)).toEqual(service.jobs.search(none));
  });
});

describe("the first call", () => {
  test("names the URL at which no server answers, and the way to start one", async () => {
    const url = await findUnusedUrl();
    const refused = connectMock(url).reset();
    await expect(refused).rejects.toThrow(`No mock server answers at ${url}: connect ECONNREFUSED`);
    await expect(refused).rejects.toThrow("npx -p adgen-sdk adgen-mock");
    await expect(refused).rejects.toMatchObject({ cause: expect.any(TypeError) });
  });

  test.each([
    [401, '{"success":false,"data":null,"error":"Invalid API key"}', "with 401: Invalid API key."],
    [200, '{"success":true,"data":{},"error":null}', "with 200."],
    [200, "<!doctype html>", "with 200."],
    [302, "", "with 302."],
    [404, '{"now":1}', "with 404."],
  ])(
    "refuses a server that is no mock, and changes nothing there: %i %s",
    async (status, body, words) => {
      const { url, received } = await startStranger(status, body);
      const mock = connectMock(url);
      await expect(mock.reset()).rejects.toThrow(
        `${url} is no mock server that can be steered: it answered GET /__mock/clock ${words}`,
      );
      await expect(mock.ready()).rejects.toThrow("no mock server");
      expect(new Set(received)).toEqual(new Set(["GET /__mock/clock"]));
    },
  );

  test("asks once who is there, whatever follows", async () => {
    const asked: string[] = [];
    await using server = await startMockServer();
    const mock = connectMock(server.url, {
      fetch: (url, init) => {
        asked.push(`${init.method} ${url.slice(server.url.length)}`);
        return fetch(url, init);
      },
    });
    await Promise.all([mock.clock.now(), mock.reset()]);
    await mock.journal.clear();
    expect(asked.filter((call) => call === "GET /__mock/clock")).toHaveLength(2);
    expect(asked).toHaveLength(4);
  });
});

describe("a call", () => {
  test("ends after its time, and says which", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(connectMock(url, { timeoutMs: 30 }).clock.now()).rejects.toThrow(
      `The mock server at ${url} has not answered GET /__mock/clock within 30 ms`,
    );
  });

  test("that the server refuses fails with the server's words", async () => {
    const mock = connectTo(createMockService());
    await expect(mock.account("test-none").credits()).rejects.toThrow(
      new Error('No account has the key "test-none"'),
    );
    // biome-ignore lint/suspicious/noExplicitAny: a mistake of a JavaScript user
    await expect(mock.faults.play({ kind: "quake" } as any)).rejects.toThrow(
      /^body\.fault\.kind must be one of reset, .*; it is "quake"$/,
    );
  });

  test("says that an answer is none of a mock, when another server has the port now", async () => {
    let isMock = true;
    const service = connectTo(createMockService());
    expect(service.url).toBe("http://127.0.0.1:4010");
    const mock = connectMock("http://127.0.0.1:4010", {
      fetch: async () =>
        isMock
          ? Response.json({ success: true, data: { now: 1 }, error: null })
          : new Response("gone", { status: 502 }),
    });
    await mock.clock.now();
    isMock = false;
    await expect(mock.reset()).rejects.toThrow("answered POST /__mock/reset with 502");
  });

  test("goes by the fetch that was there at the connection", async () => {
    await using server = await startMockServer();
    const mock = connectMock(server.url);
    vi.stubGlobal("fetch", () => Promise.reject(new Error("stubbed by a test")));
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await mock.clock.now()).toBeGreaterThan(0);
  });

  test.each([".", ".."])("cannot be about %s, which a URL would take for a folder", async (key) => {
    const service = createMockService();
    const mock = connectTo(service);
    await mock.faults.play({ kind: "html" });
    await expect(mock.account(key).reset()).rejects.toThrow(`cannot be asked about "${key}"`);
    await expect(mock.jobs.inspect(key)).rejects.toThrow("cannot be asked");
    expect(service.faults.planned).toHaveLength(1);
  });

  test("about the journal takes no pattern with flags, which JSON cannot say", async () => {
    const mock = connectTo(createMockService());
    await expect(mock.journal.assertNone({ path: /V1/i })).rejects.toThrow(
      "journal filter.path must be text or a pattern without flags; it is /V1/i",
    );
  });
});

describe("ready", () => {
  test("waits for a server that starts later", async () => {
    const url = await findUnusedUrl();
    const mock = connectMock(url);
    const waiting = mock.ready();
    await wait(20);
    await using server = await startMockServer({ port: Number(new URL(url).port) });
    await waiting;
    expect(await mock.clock.now()).toBeGreaterThan(0);
    expect(server.url).toBe(url);
  });

  test("gives up after its time", async () => {
    const url = await findUnusedUrl();
    await expect(connectMock(url).ready({ timeoutMs: 60 })).rejects.toThrow(
      `No mock server answers at ${url}`,
    );
  });
});

describe("connectMock", () => {
  test.each([
    ["http://127.0.0.1:4010/", "http://127.0.0.1:4010"],
    ["http://localhost:4010/__mock/", "http://localhost:4010"],
    ["http://127.0.0.1:4010/__mock/#jobs", "http://127.0.0.1:4010"],
    [new URL("https://ads.test/mock//"), "https://ads.test/mock"],
  ])("takes the URL %s", (given, url) => {
    expect(connectMock(given).url).toBe(url);
  });

  test.each([
    [
      "127.0.0.1:4010",
      {},
      'URL must be absolute, such as http://127.0.0.1:4471; it is "127.0.0.1:4010"',
    ],
    ["ftp://127.0.0.1", {}, 'it is "ftp://127.0.0.1"'],
    ["", {}, 'it is ""'],
    [
      "http://127.0.0.1:1",
      { timeoutMs: 0 },
      "timeoutMs must be milliseconds, more than zero; it is 0",
    ],
    ["http://127.0.0.1:1", { timeoutMs: Number.NaN }, "it is NaN"],
  ])("refuses %s with %o", (url, options, words) => {
    expect(() => connectMock(url, options)).toThrow(words);
  });
});
