import { afterEach, expect, test, vi } from "vitest";
import { failure, resetConnection } from "../helpers/answers.ts";
import { secretKey } from "./fake-service.ts";
import { failureOf, openProxy } from "./proxy-under-test.ts";

/** Collects everything that is printed from now on. */
const listenToConsole = (): unknown[] => {
  const printed: unknown[] = [];
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words));
  }
  return printed;
};

afterEach(() => {
  vi.restoreAllMocks();
});

const prompt = "A secret plan";

test("onResponse sees each request and its owner, but no body and no key", async () => {
  const printed = listenToConsole();
  const stage = await openProxy({ apiKey: async () => secretKey });
  const { ask, submit, service, events, errors } = stage;
  service.play({ headers: { "x-request-id": "r-1" } });
  for (let times = 0; times < 2; times++) await submit("ann", { prompt }, "call-1");
  for (const owner of ["ann", "bob"]) await ask(owner, { path: "/v1/jobs/job-1" });
  await ask("", { path: "/v1/jobs" });
  await ask("ann", { path: "/v1/nothing" });
  await ask("ann", { headers: { "sec-fetch-site": "cross-site" } });
  service.play(
    { answer: resetConnection, charges: true },
    { answer: failure(500, `${prompt} failed`) },
  );
  await submit("ann", { prompt }, "call-2");
  await ask("ann", { path: "/v1/jobs/job-1" });
  await ask("ann", { method: "OPTIONS" });
  const submitted = { method: "POST", endpoint: "jobs.submit", owner: "ann" };
  const read = { method: "GET", endpoint: "jobs.get", owner: "ann" };
  const all = [
    { ...submitted, status: 202, requestId: "r-1" },
    { ...submitted, status: 202, requestId: "r-1", repeated: true },
    { ...read, status: 200 },
    { ...read, status: 404, owner: "bob" },
    { method: "GET", status: 401, endpoint: "jobs.list" },
    { method: "GET", status: 404 },
    { method: "GET", status: 403 },
    { ...submitted, status: 502, outcome: "unknown" },
    { ...read, status: 500 },
    { method: "OPTIONS", status: 405, outcome: "refused" },
  ];
  const durationMs = expect.any(Number);
  expect(events).toEqual(all.map((event) => ({ repeated: false, durationMs, ...event })));
  expect(events.every(({ durationMs }) => durationMs >= 0 && durationMs < 60_000)).toBe(true);
  expect(errors.map(({ part }) => part)).toEqual(["upstream", "upstream"]);
  const told = JSON.stringify([events, errors.map(({ error }) => [error, String(error)])]);
  expect(told).not.toMatch(/secret|generate-ad/);
  expect(told).not.toContain(secretKey);
  expect(printed).toEqual([]);
});

test("onError gets each failure as it was thrown, and the console prints it without onError", async () => {
  const printed = listenToConsole();
  const error = new Error("gone");
  for (const hooks of [undefined, {}]) {
    const { ask, errors, meet } = await openProxy(hooks && { hooks });
    meet(() => Promise.reject(error));
    const answer = await ask("ann");
    expect([answer.status, JSON.stringify(answer).includes("gone")]).toEqual([503, false]);
    expect(errors).toEqual(hooks === undefined ? [{ part: "store", error }] : []);
  }
  expect(printed).toEqual([["adgen-sdk: a part of the proxy failed (store)", error]]);
});

test("onError learns the address of the service and why it wasn't reached, and the page doesn't", async () => {
  const { service } = await openProxy();
  service.close();
  const { submit, errors } = await openProxy({ baseUrl: `${service.url}/inner` });
  for (let attempt = 0; attempt < 2; attempt++) {
    const answered = await submit("ann", { prompt }, "call-1");
    expect(failureOf(answered)).toMatchObject({ status: 502, outcome: "not-sent" });
    expect(answered.body).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
  }
  const reason = expect.stringContaining("ECONNREFUSED");
  const unreached = { part: "upstream", error: { address: service.url, reason } };
  expect(errors).toMatchObject([unreached, unreached]);
});

test("onError learns why apiKey failed, but not the key that a failing fetch quotes", async () => {
  const closed = await openProxy({ apiKey: () => Promise.reject(new Error("vault closed")) });
  const answered = await closed.submit("ann");
  expect(failureOf(answered)).toMatchObject({ status: 502, outcome: "not-sent" });
  expect(answered.body).not.toContain("vault");
  expect(closed.errors).toMatchObject([{ part: "upstream", error: { reason: "vault closed" } }]);

  const quoting = await openProxy({
    fetch: ({ headers }) => {
      const shown = encodeURIComponent(headers.get("authorization") ?? "");
      return Promise.reject(new Error(`no answer to ${shown}`));
    },
  });
  await quoting.submit("ann");
  expect(quoting.errors).toMatchObject([{ error: { reason: "no answer to Bearer%20***" } }]);
});

test("hooks that throw or change their events don't change an answer", async () => {
  const printed = listenToConsole();
  const fails = (event: object) => {
    Object.assign(event, { status: 200, owner: "eve" });
    throw new Error("the log is full");
  };
  const { submit, service } = await openProxy({ hooks: { onResponse: fails, onError: fails } });
  service.play({ answer: failure(500) });
  expect((await submit("ann", { prompt }, "call-1")).status).toBe(500);
  for (const owner of ["ann", "ann", "eve"]) {
    expect((await submit(owner, { prompt }, "call-2")).status).toBe(202);
  }
  expect(service.charges).toHaveLength(2);
  expect(printed.length).toBeGreaterThan(0);
  expect(JSON.stringify(printed)).not.toMatch(/secret/);
});
