import { describe, expect, it, vi } from "vitest";
import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import type { CallOptions, ClientOptions } from "../../src/index.ts";
import { resolveConfig } from "../../src/options/resolve-config.ts";
import { createCallPreparer } from "../../src/transport/prepare-call.ts";
import {
  drip,
  failure,
  queued,
  silence,
  stallBody,
  stallHeaders,
  success,
} from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey, timed } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const faults: [string, Answer, number | undefined][] = [
  ["silence", silence, undefined],
  ["headers that stop midway", stallHeaders, undefined],
  ["a body that stops midway", stallBody(), 200],
  ["a body that drips for ever", drip(), 200],
];

/** Milliseconds that an overloaded machine may add to any time. */
const slackMs = 10_000;

describe.each(faults)("against %s", (_, fault, status) => {
  const limits: [string, ClientOptions, CallOptions][] = [
    ["the client's timeoutMs", { timeoutMs: 250, maxRetries: 0 }, {}],
    ["the client's totalTimeoutMs", { totalTimeoutMs: 250 }, {}],
    ["the call's timeoutMs", {}, { timeoutMs: 250 }],
    ["the call's totalTimeoutMs", {}, { totalTimeoutMs: 250 }],
    ["the smaller of both", { timeoutMs: 60_000 }, { timeoutMs: 40_000, totalTimeoutMs: 250 }],
  ];

  it.each(limits)("a call settles within %s", async (_, clientOptions, callOptions) => {
    const server = await listen(fault);

    const { value: error, ms } = await timed(() =>
      rejection(clientOf(server, clientOptions).jobs.get("j", callOptions)),
    );

    expect(error).toMatchObject({ name: "TimeoutError", code: "timeout", jobId: "j" });
    expect(error.status).toBe(status);
    expect(error.elapsedMs).toBeGreaterThanOrEqual(245);
    expect(ms).toBeGreaterThanOrEqual(245);
    expect(ms).toBeLessThan(250 + slackMs);
  });

  it("the connection is given up", async () => {
    const server = await listen(fault);

    await rejection(clientOf(server).jobs.submit(paidJob, { timeoutMs: 60 }));
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});

describe("the time of a call", () => {
  it("covers all its attempts and waits", async () => {
    const server = await listen(failure(503), silence);

    const { value: error, ms } = await timed(() =>
      rejection(clientOf(server).jobs.get("j", { timeoutMs: 600, maxRetries: 10 })),
    );

    expect(error.code).toBe("timeout");
    expect(error.attempts).toBeGreaterThan(1);
    expect(ms).toBeLessThan(600 + slackMs);
  });

  it("is twice that of an attempt by default", async () => {
    const server = await listen(silence);
    vi.spyOn(Math, "random").mockReturnValue(0); // the second attempt comes at once

    const { value: error, ms } = await timed(() =>
      rejection(clientOf(server, { timeoutMs: 150, maxRetries: 10 }).jobs.get("j")),
    );
    vi.mocked(Math.random).mockRestore();

    expect(error).toMatchObject({ code: "timeout" });
    expect(server.received.length).toBeGreaterThan(1);
    expect(ms).toBeGreaterThanOrEqual(150);
    expect(ms).toBeLessThan(300 + slackMs);
  });

  it("keeps the status of a failure whose body never ends", async () => {
    const server = await listen(stallBody(402));

    const error = await rejection(clientOf(server).jobs.submit(paidJob, { timeoutMs: 300 }));

    expect(error).toMatchObject({ name: "PaymentRequiredError", status: 402, outcome: "refused" });
  });

  it("holds against an apiKey function that hangs, and nothing is sent", async () => {
    const server = await listen(queued());
    const client = clientOf(server, { apiKey: () => new Promise(() => {}) });

    const error = await rejection(client.jobs.submit(paidJob, { timeoutMs: 60 }));

    expect(error).toMatchObject({ code: "timeout", outcome: "not-sent" });
    expect(error.message).not.toContain("may exist");
    expect(server.received).toHaveLength(0);
  });

  it("holds against a schema of results that hangs", async () => {
    const server = await listen(success({ status: "completed", action: "edit-ad" }));
    const validate = () => new Promise<never>(() => {});
    const result = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const client = clientOf(server, { schemas: { results: { "edit-ad": result } } });

    const error = await rejection(client.jobs.get("j", { timeoutMs: 300 }));

    expect(error).toMatchObject({ code: "timeout", status: 200, jobId: "j" });
  });

  it("holds against a schema that hangs", async () => {
    const server = await listen(success({ id: "b" }));
    const validate = () => new Promise<never>(() => {});
    const brand = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const client = clientOf(server, { schemas: { brand }, timeoutMs: 300 });

    expect(await rejection(client.brands.create({ name: "a" }))).toMatchObject({
      code: "timeout",
      status: 200,
      outcome: "unknown",
    });
  });

  it("holds against a schema that hangs on a read, which is not made again for it", async () => {
    const server = await listen(success([{ id: "b" }]));
    const validate = () => new Promise<never>(() => {});
    const brand = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const client = clientOf(server, { schemas: { brand }, timeoutMs: 300, totalTimeoutMs: 20_000 });

    const { value: error, ms } = await timed(() => rejection(client.brands.list()));

    expect(error).toMatchObject({ code: "timeout", attempts: 1 });
    expect(error.elapsedMs).toBeGreaterThanOrEqual(295);
    expect(error.message).toBe(
      "GET /v1/brands was answered, but your schema timed out after 300 ms (timeoutMs)",
    );
    expect(server.received).toHaveLength(1);
    expect(ms).toBeLessThan(20_000);
  });

  it("leaves a schema at once when the call is aborted", async () => {
    const server = await listen(success({ id: "b" }));
    const controller = new AbortController();
    const validate = () => {
      setTimeout(() => controller.abort(), 10);
      return new Promise<never>(() => {});
    };
    const brand = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const { signal } = controller;

    const { value: error, ms } = await timed(() =>
      rejection(clientOf(server, { schemas: { brand } }).brands.update("b", {}, { signal })),
    );

    expect(error).toMatchObject({ code: "aborted", status: 200, outcome: "unknown", attempts: 1 });
    expect(ms).toBeLessThan(20_000);
  });
});

describe("the default time of an attempt", () => {
  const timeoutsOf = (options: ClientOptions, call: CallOptions = {}) => {
    const config = resolveConfig({ baseUrl: "http://ads.test", apiKey: testKey, ...options });
    const prepareCall = createCallPreparer(config);
    return Object.keys(endpoints).map((name) => {
      const prepared = prepareCall(name as EndpointName, { id: "id-1" }, call);
      const { attemptTimeoutMs, totalTimeoutMs } = prepared;
      return [attemptTimeoutMs, totalTimeoutMs];
    });
  };

  it("is 60 seconds for submit, and 30 for all else", () => {
    const [submit, ...others] = timeoutsOf({});

    expect(submit).toEqual([60_000, 120_000]);
    expect(others).toEqual(others.map(() => [30_000, 60_000]));
  });

  it("gives way to the client's options, and those to the call's", () => {
    const all = (times: number[]) => timeoutsOf({}).map(() => times);

    expect(timeoutsOf({ timeoutMs: 10_000 })).toEqual(all([10_000, 20_000]));
    expect(timeoutsOf({ timeoutMs: 10_000, totalTimeoutMs: 15_000 })).toEqual(
      all([10_000, 15_000]),
    );
    expect(timeoutsOf({ totalTimeoutMs: 15_000 }, { timeoutMs: 5 })).toEqual(all([5, 5]));
    expect(timeoutsOf({}, { timeoutMs: 5, totalTimeoutMs: 50 })).toEqual(all([5, 50]));
    expect(timeoutsOf({ timeoutMs: 2 ** 31 - 1 })).toEqual(all([2 ** 31 - 1, 2 ** 31 - 1]));
  });
});
