import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { failure, reset } from "../helpers/answers.ts";
import { secretKey } from "./fake-service.ts";
import { openProxy } from "./proxy-under-test.ts";
import { createMapStore, watchStore } from "./test-store.ts";

const methods = ["log", "info", "warn", "error", "debug"] as const;

/** Everything that is printed from now on. */
const listenToConsole = (): unknown[] => {
  const printed: unknown[] = [];
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words));
  }
  return printed;
};

afterEach(() => {
  vi.restoreAllMocks();
});

const prompt = "A secret plan";

describe("the observers", () => {
  test("see every request, and who made it, and never a body or the key", async () => {
    const printed = listenToConsole();
    const stage = await openProxy({ apiKey: async () => secretKey });
    const { ask, submit, service, events, errors } = stage;
    service.play({ headers: { "x-request-id": "r-1" } });
    await submit("ann", { prompt }, "call-1");
    await submit("ann", { prompt }, "call-1");
    await ask("ann", { path: "/v1/jobs/job-1" });
    await ask("bob", { path: "/v1/jobs/job-1" });
    await ask("", { path: "/v1/jobs" });
    await ask("ann", { path: "/v1/nothing" });
    await ask("ann", { headers: { origin: "https://evil.test" } });
    service.play({ answer: reset, charges: true }, { answer: failure(500, `${prompt} failed`) });
    await submit("ann", { prompt }, "call-2");
    await ask("ann", { path: "/v1/jobs/job-1" });
    await ask("ann", { method: "OPTIONS" });
    expect(events).toEqual(
      [
        { method: "POST", status: 202, endpoint: "jobs.submit", owner: "ann", requestId: "r-1" },
        {
          ...{ method: "POST", status: 202, endpoint: "jobs.submit", owner: "ann" },
          repeated: true,
          requestId: "r-1",
        },
        { method: "GET", status: 200, endpoint: "jobs.get", owner: "ann" },
        { method: "GET", status: 404, endpoint: "jobs.get", owner: "bob" },
        { method: "GET", status: 401, endpoint: "jobs.list" },
        { method: "GET", status: 404 },
        { method: "GET", status: 403 },
        {
          ...{ method: "POST", status: 502, endpoint: "jobs.submit", owner: "ann" },
          ...{ outcome: "unknown", findCandidates: expect.any(Function) },
        },
        { method: "GET", status: 500, endpoint: "jobs.get", owner: "ann" },
        { method: "OPTIONS", status: 204 },
      ].map((event) => ({ repeated: false, durationMs: expect.any(Number), ...event })),
    );
    expect(events.every(({ durationMs }) => durationMs >= 0 && durationMs < 60_000)).toBe(true);
    expect(errors.map(({ part }) => part)).toEqual(["upstream", "upstream"]);
    const told = JSON.stringify([events, errors.map(({ error }) => [error, String(error)])]);
    expect(told).not.toMatch(/secret|generate-ad/);
    expect(told).not.toContain(secretKey);
    expect(printed).toEqual([]);
  });

  test("hear what failed, as it was thrown", async () => {
    const printed = listenToConsole();
    const gone = new Error("gone");
    let isGone = true;
    const store = watchStore(createMapStore().store, ({ go }) =>
      isGone ? Promise.reject(gone) : go(),
    );
    const { submit, errors } = await openProxy({ store });
    await submit("ann", { prompt }, "call-1");
    isGone = false;
    expect(errors).toEqual([{ part: "store", error: gone }]);
    expect(printed).toEqual([]);
  });

  test("hear where the service is, and why it was not reached; the page does not", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    await new Promise((isClosed) => closed.close(isClosed));
    const address = `http://127.0.0.1:${port}`;
    const { submit, errors } = await openProxy({ baseUrl: `${address}/inner` });
    const answered = await submit("ann", { prompt });
    const reason = expect.stringContaining("ECONNREFUSED");
    expect(errors).toMatchObject([{ part: "upstream", error: { address, reason } }]);
    expect(JSON.stringify(answered)).not.toMatch(new RegExp(`ECONNREFUSED|${port}`));
  });

  test("hear of a vault that fails, and never the key of a fetch that quotes it", async () => {
    const closed = await openProxy({ apiKey: () => Promise.reject(new Error("vault closed")) });
    expect((await closed.submit("ann")).body).not.toContain("vault");
    expect(closed.errors).toMatchObject([{ part: "upstream", error: { reason: "vault closed" } }]);

    const quoting = await openProxy({
      fetch: ({ headers }) => {
        const shown = encodeURIComponent(headers.get("authorization")?.replace("-", "%2D") ?? "");
        return Promise.reject(new Error(`no answer to ${shown}`));
      },
    });
    await quoting.submit("ann");
    expect(quoting.errors).toMatchObject([{ error: { reason: "no answer to Bearer%20***" } }]);
  });

  test("hear nothing of a page that stops to wait for what it reads", async () => {
    const { proxy, errors } = await openProxy({
      fetch: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const leaving = new AbortController();
    const { signal } = leaving;
    const list = proxy.fetchAs("ann")(new Request("http://proxy/v1/jobs", { signal }));
    setTimeout(() => leaving.abort(), 20);
    expect((await list).status).toBe(502);
    expect(errors).toEqual([]);
  });

  test("leave failures to the console, when there is none for them", async () => {
    const printed = listenToConsole();
    const wrong = new Error("no session");
    const authorize = () => Promise.reject(wrong);
    const { ask } = await openProxy({ authorize, hooks: {} });
    const answer = await ask("ann", { path: "/v1/jobs" });
    expect([answer.status, JSON.stringify(answer).includes("no session")]).toEqual([500, false]);
    expect(printed).toEqual([[expect.stringContaining("authorize"), wrong]]);
  });

  const broken: [how: string, observer: () => never][] = [
    [
      "throw",
      () => {
        throw new Error("the log is full");
      },
    ],
    ["reject", (() => Promise.reject(new Error("the log is full"))) as () => never],
    ["never end", (() => new Promise(() => {})) as () => never],
  ];
  test.each(broken)("change nothing when they %s", async (how, observer) => {
    const printed = listenToConsole();
    const { submit, service } = await openProxy({
      hooks: { onResponse: observer, onError: observer },
    });
    service.play({ answer: failure(500) });
    expect((await submit("ann", { prompt }, "call-1")).status).toBe(500);
    expect((await submit("ann", { prompt }, "call-2")).status).toBe(202);
    expect((await submit("ann", { prompt }, "call-2")).status).toBe(202);
    expect(service.charges).toHaveLength(1);
    await expect.poll(() => printed.length > 0).toBe(how !== "never end");
    expect(JSON.stringify(printed)).not.toMatch(/secret/);
  });

  test("are no window to what they see", async () => {
    const { submit, service } = await openProxy({
      hooks: {
        onResponse: (event) => {
          Object.assign(event, { status: 200, owner: "eve" });
        },
      },
    });
    expect((await submit("ann", {}, "call-1")).status).toBe(202);
    expect((await submit("eve", {}, "call-1")).status).toBe(202);
    expect(service.charges).toHaveLength(2);
  });
});
