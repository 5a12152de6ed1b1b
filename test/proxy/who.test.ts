import { describe, expect, test } from "vitest";
import { createProxy, type ProxyOptions } from "../../src/proxy.ts";
import { secretKey } from "./fake-service.ts";
import { failureOf, openProxy } from "./proxy-under-test.ts";

const refusal = { status: 401, success: false, data: null, error: expect.any(String) };

describe("the owner", () => {
  test("is needed: a proxy does not start without a word on who may come in", () => {
    const options = { baseUrl: "http://127.0.0.1:9", apiKey: secretKey };
    const error = expect.objectContaining({
      code: "config",
      message: expect.stringMatching(/authorize[\s\S]*allowAnyone/),
    });
    expect(() => createProxy(options)).toThrow(error);
    expect(() => createProxy({ ...options, allowAnyone: false })).toThrow(error);
    // @ts-expect-error: only a function can say who it is
    expect(() => createProxy({ ...options, authorize: "ann" })).toThrow(/authorize/);
  });

  test("is nobody's name when anyone may come in", async () => {
    const { ask, submit, service } = await openProxy({ authorize: undefined, allowAnyone: true });
    const { status } = await submit("");
    expect(status).toBe(202);
    expect((await ask("bob", { path: "/v1/jobs/job-1" })).status).toBe(200);
    expect(service.charges).toHaveLength(1);
  });

  test.each<[answer: undefined | null | false | ""]>([[undefined], [null], [false], [""]])(
    "is refused by %j with 401",
    async (answer) => {
      const { ask, submit, service, events } = await openProxy({ authorize: async () => answer });
      expect(failureOf(await ask("ann"))).toMatchObject(refusal);
      expect(failureOf(await submit("ann"))).toEqual({ ...refusal, outcome: "refused" });
      expect(failureOf(await submit("ann", {}, "call-1"))).toEqual({
        ...refusal,
        outcome: "unknown",
      });
      expect(service.arrivals()).toBe(0);
      const outcomes = [undefined, "refused", "unknown"];
      expect(events).toMatchObject(outcomes.map((outcome) => ({ status: 401, outcome })));
      expect(events.every(({ owner }) => owner === undefined)).toBe(true);
    },
  );

  const broken: [string, () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("db at 10.0.0.7 is down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("db at 10.0.0.7 is down"))],
    ["rejects with nothing", () => Promise.reject()],
    ["gives a number", () => 7],
    ["gives true", () => true],
    ["gives an object", () => ({ owner: "ann", secret: "10.0.0.7" })],
    ["gives a String object", () => new String("ann")],
    ["gives half of a surrogate pair", () => "ann\uD800"],
  ];
  test.each(broken)("is a 500 that tells nothing where authorize %s", async (_, authorize) => {
    const { ask, submit, service, errors, memory } = await openProxy({
      authorize: authorize as NonNullable<ProxyOptions["authorize"]>,
    });
    const read = await ask("ann");
    const write = await submit("ann", {}, "call-1");
    expect([read.status, write.status]).toEqual([500, 500]);
    // An earlier request of this call may have met a better moment.
    expect(write.headers["adgen-outcome"]).toBe("unknown");
    expect(`${read.body} ${write.body}`).not.toMatch(/10\.0\.0\.7|db|ann/);
    expect(service.arrivals()).toBe(0);
    expect(memory.values.size).toBe(0);
    expect(errors.map(({ part }) => part)).toEqual(["authorize", "authorize"]);
  });

  test("may read a copy of the request", async () => {
    const { submit, service } = await openProxy({
      authorize: async (request) => {
        const { owner } = (await request.clone().json()) as { owner: string };
        return owner;
      },
    });
    expect((await submit("", { owner: "ann" }, "call-1")).status).toBe(202);
    expect((await submit("", { owner: "ann" }, "call-2")).status).toBe(202);
    expect(service.charges).toHaveLength(2);
  });

  test("is a 500, and nothing is sent, where authorize has taken the body", async () => {
    for (const take of [({ body }: Request) => body?.getReader(), (it: Request) => it.text()]) {
      const { submit, service, errors } = await openProxy({
        authorize: async (request) => {
          await take(request);
          return "ann";
        },
      });
      expect(failureOf(await submit("ann"))).toMatchObject({ status: 500, outcome: "not-sent" });
      expect(errors).toMatchObject([{ part: "authorize" }]);
      expect(service.arrivals()).toBe(0);
    }
  });

  test("that never comes holds up its own request alone", async () => {
    const { ask, dial } = await openProxy({
      authorize: ({ headers }) =>
        headers.get("x-owner") === "slow" ? new Promise<never>(() => {}) : "ann",
    });
    dial().write("GET /adgen/v1/jobs HTTP/1.1\r\nHost: a\r\nX-Owner: slow\r\n\r\n");
    expect((await ask("ann")).status).toBe(200);
  });
});

describe("names of owners", () => {
  const long = "x".repeat(10_000);
  const pairs: [what: string, one: string, other: string][] = [
    ["in upper case", "ann", "Ann"],
    ["with a colon", "a:b", "a"],
    ["that are escaped", "a%3Ab", "a:b"],
    ["with a space", "ann ", "ann"],
    ["composed otherwise", "Zoe\u0308", "Zo\u00EB"],
    ["that differ at the end of 10 kB", `${long}1`, `${long}2`],
    ["of an object's own words", "__proto__", "constructor"],
    ["with a line break", "ann\nbob", "ann"],
    ["with a null byte", "ann\0", "ann"],
    ["of a path", "../ann", "ann"],
    ["beyond the alphabet", "\u{1F600}", "\u{1F601}"],
    ["that look like a list", "jobs:ann", "ann"],
  ];
  test.each(pairs)("%s stay two people", async (_, one, other) => {
    const { proxy, service } = await openProxy({
      authorize: ({ headers }) => (headers.get("x-owner") === "1" ? one : other),
      limits: [{ windowMs: 86_400_000, jobs: 1 }],
    });
    const ask = (owner: string, path: string, body?: object, callId = "call-1") =>
      proxy(
        new Request(`http://page.test/adgen${path}`, {
          method: body ? "POST" : "GET",
          headers: {
            "x-owner": owner,
            "content-type": "application/json",
            "idempotency-key": callId,
          },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
    const job = { action: "generate-ad", prompt: "Sale" };
    expect((await ask("1", "/v1/jobs", job)).status).toBe(202);
    expect((await ask("2", "/v1/jobs/job-1")).status).toBe(404);
    expect(await (await ask("2", "/v1/jobs")).json()).toMatchObject({ data: { jobs: [] } });
    expect((await ask("2", "/v1/jobs", job)).status).toBe(202);
    expect((await ask("2", "/v1/jobs", job, "call-2")).status).toBe(402);
    expect((await ask("1", "/v1/jobs/job-1")).status).toBe(200);
    expect(service.charges.map(({ id }) => id)).toEqual(["job-1", "job-2"]);
  });

  test("and call ids do not run into each other", async () => {
    const { submit, service } = await openProxy();
    await submit("a", {}, "b:c");
    await submit("a:b", {}, "c");
    await submit("a%3Ab", {}, "c");
    await submit("a", {}, "b%3Ac");
    expect(service.charges).toHaveLength(4);
  });
});
