import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectMock } from "../../mocks/connect.ts";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server.ts";
import { listen } from "../helpers/http-server.ts";
import { createAsk, globalFetch } from "./ask.ts";
import { connectTo } from "./deeds.ts";

const copy = { action: "generate-ad-copy", prompt: "x" };

describe("a server that is steered from elsewhere", () => {
  test("opens an account, plays its part over HTTP, and closes the account again", async () => {
    await using server = await startMockServer();
    const mock = connectMock(server.url);
    const keys = () => server.service.accounts.map((one) => one.key);
    {
      await using account = await mock.openAccount({ credits: { image: { purchased: 2 } } });
      await account.jobs.next({ fail: "moderation" });
      const ask = createAsk(globalFetch, account.key, mock.url);
      expect((await ask("POST", "/v1/jobs", { action: "generate-ad" })).status).toBe(202);
      await account.assertCharges([{ action: "generate-ad", amount: 1, purchased: 1 }]);
      expect(keys()).toEqual(["test-key", account.key]);
    }
    expect(keys()).toEqual(["test-key"]);
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

  test("lists more jobs than one answer holds, the newest of uneven accounts first", async () => {
    const accounts = { "test-key": {}, "test-other": {}, "test-third": {} };
    const service = createMockService({ accounts, clock: createManualClock() });
    const asks = Object.keys(accounts).map((key) => createAsk(service, key));
    const ids: string[] = [];
    for (let count = 0; count < 1_100; count += 1) {
      const ask = asks[count % 50 === 0 ? 1 + (count % 100) / 50 : 0];
      ids.unshift((await ask?.("POST", "/v1/jobs", copy))?.data.job_id);
      service.clock.advance(1);
    }
    const mock = connectTo(service);
    const idsOf = (jobs: readonly { job_id: string }[]) => jobs.map(({ job_id }) => job_id);
    expect(idsOf(await mock.jobs.all())).toEqual(ids);
    for (const limit of [0, 1, 7, 50, 1_000, 1_050]) {
      expect(idsOf((await mock.jobs.search({ limit })).jobs)).toEqual(ids.slice(0, limit));
    }
    const own = service.account("test-key").jobs;
    expect(own.count).toBeGreaterThan(1_000);
    expect(await mock.account("test-key").jobs.all()).toEqual(own.all);
    expect(await mock.account("test-key").jobs.latest(1_001)).toEqual(own.latest(1_001));
    for (const search of [
      { action: "generate-ad-copy", status: ["queued", "failed"] },
      { action: ["edit-ad", "generate-ad-copy"] },
      { status: "queued", limit: 1_100 },
    ] as const) {
      expect(await mock.jobs.search(search)).toEqual(service.jobs.search(search));
    }
  });
});

describe("the first call", () => {
  test("names the URL at which no server answers, and the way to start one; ready waits for it", async () => {
    const { url, port, close } = await startMockServer();
    await close();
    const mock = connectMock(url);
    const refused = mock.reset();
    await expect(refused).rejects.toThrow(`No mock server answers at ${url}: connect ECONNREFUSED`);
    await expect(refused).rejects.toThrow("npx -p adgen-sdk adgen-mock");
    await expect(refused).rejects.toMatchObject({ cause: expect.any(TypeError) });
    const waiting = mock.ready({ timeoutMs: 60 });
    await expect(waiting).rejects.toThrow(`No mock server answers at ${url}`);
    const ready = mock.ready();
    await wait(20);
    await using _ = await startMockServer({ port });
    await ready;
    expect(await mock.clock.now()).toBeGreaterThan(0);
  });

  test.each([
    [401, '{"success":false,"data":null,"error":"Invalid API key"}', "with 401: Invalid API key."],
    [200, '{"success":true,"data":{},"error":null}', "with 200."],
    [200, "<!doctype html>", "with 200."],
    [302, "", "with 302."],
    [404, '{"now":1}', "with 404."],
  ])("changes nothing on a server that is no mock: %i %s", async (status, body, words) => {
    const { url, received } = await listen((response) =>
      response.writeHead(status, { location: "/elsewhere" }).end(body),
    );
    const mock = connectMock(url);
    await expect(mock.reset()).rejects.toThrow(
      `${url} is no mock server that can be steered: it answered GET /__mock/clock ${words}`,
    );
    await expect(mock.ready()).rejects.toThrow("no mock server");
    const asked = received.map((request) => `${request.method} ${request.url}`);
    expect(new Set(asked)).toEqual(new Set(["GET /__mock/clock"]));
  });

  test("asks once who is there, whatever follows, by the fetch of the connection's time", async () => {
    await using server = await startMockServer();
    const asked: string[] = [];
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
      asked.push(`${init.method} ${url.slice(server.url.length)}`);
      return fetch(url, init);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const mock = connectMock(server.url);
    vi.stubGlobal("fetch", () => Promise.reject(new Error("stubbed by a test")));
    await Promise.all([mock.clock.now(), mock.reset()]);
    await mock.journal.clear();
    expect(asked.filter((call) => call === "GET /__mock/clock")).toHaveLength(1);
    expect(asked).toHaveLength(4);
  });
});

describe("a call", () => {
  test("ends after its time, and says which", async () => {
    const { url } = await listen(() => {});
    await expect(connectMock(url, { timeoutMs: 30 }).clock.now()).rejects.toThrow(
      `The mock server at ${url} has not answered GET /__mock/clock within 30 ms`,
    );
  });

  test("says that an answer is none of a mock, when another server has the port now", async () => {
    let answer = Response.json({ success: true, data: { now: 1 }, error: null });
    const mock = connectMock("http://127.0.0.1:4010", { fetch: async () => answer.clone() });
    await mock.clock.now();
    answer = new Response("gone", { status: 502 });
    await expect(mock.reset()).rejects.toThrow("answered POST /__mock/reset with 502");
  });

  test("cannot be about . or .., which a URL would take for a folder", async () => {
    const service = createMockService();
    const mock = connectTo(service);
    await mock.faults.play({ kind: "html" });
    for (const key of [".", ".."]) {
      await expect(mock.account(key).reset()).rejects.toThrow(`cannot be asked about "${key}"`);
      expect(await mock.jobs.inspect(key)).toBeUndefined();
    }
    expect(service.faults.planned).toHaveLength(1);
  });

  test("about the journal takes no pattern with flags, which JSON cannot say", async () => {
    const asked = connectTo(createMockService()).journal.assertNone({ path: /V1/i });
    const message = "journal filter.path must be text or a pattern without flags; it is /V1/i";
    await expect(asked).rejects.toThrow(message);
  });
});

const own = "http://127.0.0.1:1";
const most = "at most 2,147,483,647";
const advice = "URL must be absolute, such as http://127.0.0.1:4471;";

test("connectMock takes the URL of a server, or of its page, and refuses what is none", () => {
  for (const [given, url] of [
    ["http://127.0.0.1:4010/", "http://127.0.0.1:4010"],
    ["http://localhost:4010/__mock/", "http://localhost:4010"],
    ["http://127.0.0.1:4010/__mock/#jobs", "http://127.0.0.1:4010"],
    [new URL("https://ads.test/mock//"), "https://ads.test/mock"],
  ] as const) {
    expect(connectMock(given).url).toBe(url);
  }
  for (const [url, options, words] of [
    ["127.0.0.1:4010", {}, `${advice} it is "127.0.0.1:4010"`],
    ["ftp://127.0.0.1", {}, `${advice} it is "ftp://127.0.0.1"`],
    ["", {}, `${advice} it is ""`],
    [own, { timeoutMs: 0 }, `timeoutMs must be milliseconds, more than zero, ${most}; it is 0`],
    [own, { timeoutMs: Number.NaN }, "it is NaN"],
    [own, { timeoutMs: 2 ** 31 }, "it is 2147483648"],
    [
      own,
      { timeoutMS: 5 } as object,
      'options have no field "timeoutMS"; they have fetch, timeoutMs',
    ],
  ] as const) {
    expect(() => connectMock(url, options)).toThrow(words);
  }
});

test("an option of ready or of an account that makes no sense is refused", async () => {
  const mock = connectTo(createMockService());
  const ofReady = mock.ready({ timeoutMS: 5 } as object);
  await expect(ofReady).rejects.toThrow('no field "timeoutMS"; they have timeoutMs');
  for (const timeoutMs of [Number.NaN, Number.POSITIVE_INFINITY, -1, 2 ** 31]) {
    await expect(mock.ready({ timeoutMs })).rejects.toThrow(`zero or more, ${most}; it is`);
  }
  const ofAccount = mock.openAccount({ credit: { image: {} } } as object);
  await expect(ofAccount).rejects.toThrow('has no field "credit"; it has credits');
});
