import { createClient, UnauthorizedError } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { createMemoryStore, createProxy } from "../../src/proxy.ts";
import { secretKey } from "./fake-service.ts";
import { type Asked, failureOf, openProxy } from "./proxy-under-test.ts";

const doubt = /\. An earlier request with this Idempotency-Key may have been carried out$/;

const callId = { "idempotency-key": "call-1" };
const body = { action: "generate-ad", prompt: "Sale" };
const change = { method: "PATCH", path: "/v1/brands/brand-1" };

/** Requests that go no further than to their refusal, and its status. */
const refused: [what: string, owner: string, asked: Asked, status: number][] = [
  ["of one who is not signed in", "", { body }, 401],
  ["of another origin", "ann", { body, headers: { origin: "https://evil.test" } }, 403],
  ["to no path", "ann", { path: "/v1/nothing", body }, 404],
  ["by no method of its path", "ann", { path: "/v1/jobs/job-1", body }, 405],
  ["to change a brand without signing in", "", { ...change, body: {} }, 401],
  ["to delete a brand without signing in", "", { ...change, method: "DELETE" }, 401],
];

/** Requests whose body is refused. */
const wrong: [what: string, asked: Asked, status: number][] = [
  ["is too large", { body: { ...body, more: "x".repeat(900) } }, 413],
  ["is no JSON", { body: '{"action":"generate-ad"' }, 400],
  ["is a form", { body: "action=generate-ad", headers: { "content-type": "text/plain" } }, 415],
  ["asks for an action that is not allowed", { body: { action: "copy-ad" } }, 400],
];

describe("a request that may be a repeat", () => {
  test.each(refused)("%s is unknown, and says why", async (_, owner, asked, status) => {
    const { ask, service, events } = await openProxy();
    const headers = { ...asked.headers, ...callId };
    const named = failureOf(await ask(owner, { method: "POST", ...asked, headers }));
    expect(named).toMatchObject({ status, outcome: "unknown", success: false, data: null });
    expect(named.error).toMatch(doubt);
    expect(events.at(-1)).toMatchObject({ status, outcome: "unknown" });
    // Without an id it is a call of its own, and known to be refused.
    const alone = failureOf(await ask(owner, { method: "POST", ...asked }));
    expect(alone).toMatchObject({ status, outcome: "refused" });
    expect(alone.error).not.toMatch(doubt);
    expect(service.arrivals()).toBe(0);
  });

  test.each(wrong)("and whose body %s is unknown where its id is on record", async (...row) => {
    const [, asked, status] = row;
    const { ask, submit, service } = await openProxy({
      maxRequestBytes: 800,
      actions: ["generate-ad"],
    });
    const send = () =>
      ask("ann", { method: "POST", ...asked, headers: { ...asked.headers, ...callId } });
    // No request of this id has come further, so none was carried out.
    const first = failureOf(await send());
    expect(first).toMatchObject({ status, outcome: "refused" });
    expect(first.error).not.toMatch(doubt);
    await submit("ann", {}, "call-1");
    const second = failureOf(await send());
    expect(second).toMatchObject({ status, outcome: "unknown" });
    expect(second.error).toMatch(doubt);
    expect(service.charges).toHaveLength(1);
  });

  test("whose function fails is unknown, and says why", async () => {
    const authorize = () => Promise.reject(new Error("no session"));
    const { submit } = await openProxy({ authorize });
    const named = failureOf(await submit("ann", {}, "call-1"));
    expect(named).toMatchObject({ status: 500, outcome: "unknown" });
    expect(named.error).toMatch(doubt);
    const alone = failureOf(await submit("ann"));
    expect(alone).toMatchObject({ status: 500, outcome: "not-sent" });
    expect(alone.error).not.toMatch(doubt);
  });
});

test("a page whose session ends before the repeat hears that its job may be paid", async () => {
  const { service } = await openProxy();
  const owners = ["ada"];
  const proxy = createProxy({
    ...{ baseUrl: service.url, apiKey: secretKey, store: createMemoryStore() },
    authorize: () => owners.shift(),
  });
  const { jobs } = createClient({
    ...{ baseUrl: "https://shop.test/adgen", apiKey: null, callIds: true },
    // The answer is lost, and the browser sends the request once more.
    async fetch(request) {
      await proxy(request.clone());
      return proxy(request);
    },
  });
  const error: unknown = await jobs.submit({ action: "generate-ad" }).catch(Object);
  expect(error).toBeInstanceOf(UnauthorizedError);
  expect(error).toMatchObject({ status: 401, outcome: "unknown" });
  expect(service.charges).toHaveLength(1);
});
