import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { toResult } from "../../src/index.ts";
import { abortWhen, expectAbort, reason } from "../helpers/aborts.ts";
import {
  drip,
  failure,
  queued,
  silence,
  stallBody,
  stallHeaders,
  success,
} from "../helpers/answers.ts";
import { accepted, failing, over, schemaOf } from "../helpers/calls.ts";
import { clientOf, paidJob, pause, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

describe("an abort before the request leaves", () => {
  it.each<[string, number, number]>([
    ["before the call", 0, 0],
    ["while the apiKey function runs, whose key comes later", 1, 0],
    ["by the onRequest hook", 1, 1],
  ])("sends nothing, even if fetch ignores the signal: %s", async (phase, attempts, heard) => {
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (when: string) => void (phase.includes(when) && controller.abort(reason));
    const fetch = vi.fn(accepted);
    const onRequest = vi.fn(() => abort("hook"));
    const apiKey = vi.fn(async () => {
      abort("function");
      await pause(10);
      return testKey;
    });
    abort("before");

    const error = await rejection(
      over(fetch, { apiKey, hooks: { onRequest } }).jobs.submit(paidJob, { signal }),
    );
    await pause(20);

    expectAbort(error);
    expect(error).toMatchObject({ outcome: "not-sent", attempts, method: "POST" });
    expect(error.message).toBe("POST /v1/jobs was aborted");
    expect(fetch).not.toHaveBeenCalled();
    expect(apiKey).toHaveBeenCalledTimes(attempts);
    expect(onRequest).toHaveBeenCalledTimes(heard);
  });

  it("sends nothing a few microtasks after the call, even if fetch ignores the signal", async () => {
    const late: number[] = [];
    for (let ticks = 0; ticks < 40; ticks++) {
      const controller = new AbortController();
      const { signal } = controller;
      const client = over(async () => {
        if (signal.aborted) late.push(ticks);
        return accepted();
      });
      const ended = toResult(client.jobs.submit(paidJob, { signal }));
      for (let tick = 0; tick < ticks; tick++) await undefined;
      controller.abort(reason);
      await ended;
    }

    expect(late).toEqual([]);
  });
});

describe("an abort", () => {
  it("while the connection is made ends the call", async () => {
    // A TLS handshake that nobody answers.
    const connected = Promise.withResolvers<Socket>();
    const server = createTcpServer(connected.resolve);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const { jobs } = clientOf({ url: `https://127.0.0.1:${port}` });

    const error = await abortWhen(connected.promise, (signal) => jobs.submit(paidJob, { signal }));

    expect(error.outcome).toBe("unknown");
    (await connected.promise).destroy();
    server.close();
  });

  it.each<[string, Answer, number | undefined]>([
    ["while headers are awaited", silence, undefined],
    ["midway in the headers", stallHeaders, undefined],
    ["midway in a body that stalls", stallBody(202), 202],
    ["midway in a body that drips", drip(202), 202],
    ["midway in the body of a failure", stallBody(503), 503],
  ])("%s ends the call and the connection", async (_, fault, status) => {
    const arrived = Promise.withResolvers<void>();
    const server = await listen((response, request) => {
      fault(response, request);
      setTimeout(arrived.resolve, 40);
    });

    const error = await abortWhen(arrived.promise, (signal) =>
      clientOf(server).jobs.submit(paidJob, { signal, maxRetries: 10 }),
    );
    await expect.poll(() => server.sockets.size).toBe(0);

    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    expect(error.status).toBe(status);
    expect(error.message).toBe(`POST /v1/jobs was aborted${doubtOfSubmission}`);
    expect(server.received).toHaveLength(1);
  });

  it("of a fetch that ignores the signal ends the call", async () => {
    const called = Promise.withResolvers<void>();
    const { jobs } = over(() => {
      called.resolve();
      return new Promise<Response>(() => {});
    });

    const error = await abortWhen(called.promise, (signal) => jobs.submit(paidJob, { signal }));

    expect(error.outcome).toBe("unknown");
  });

  it("ends the call while a schema of yours runs", async () => {
    const running = Promise.withResolvers<void>();
    const brand = schemaOf(() => {
      running.resolve();
      return new Promise<never>(() => {});
    });
    const { brands } = clientOf(await listen(success({ id: "b" })), { schemas: { brand } });

    const error = await abortWhen(running.promise, (signal) => brands.update("b", {}, { signal }));

    expect(error).toMatchObject({ status: 200, outcome: "unknown", attempts: 1 });
  });

  it.each<[string, Answer, object, string]>([
    ["a read", failure(503, "wait", { "retry-after": "0.2" }), { jobId: "j" }, "GET /v1/jobs/j"],
    [
      "a refused submission",
      failure(429, "wait", { "retry-after": "30" }),
      { outcome: "refused" },
      "POST /v1/jobs",
    ],
  ])("while %s waits for its next attempt sends nothing more", async (_, wait, facts, name) => {
    const waiting = Promise.withResolvers<void>();
    const server = await listen(wait, queued());
    const { jobs } = clientOf(server, { hooks: { onRetry: () => waiting.resolve() } });

    const error = await abortWhen(waiting.promise, (signal) =>
      name.startsWith("GET") ? jobs.get("j", { signal }) : jobs.submit(paidJob, { signal }),
    );
    await pause(250);

    expect(error).toMatchObject({ ...facts, attempts: 1, message: `${name} was aborted` });
    expect(server.received).toHaveLength(1);
  });

  it("after the answer changes nothing", async () => {
    const server = await listen(queued());
    const controller = new AbortController();

    const job = await clientOf(server).jobs.submit(paidJob, { signal: controller.signal });
    controller.abort(reason);

    expect(job.job_id).toBe("job-1");
  });

  it.each([["a text"], [{ why: "quota" }], [null], [0]])("keeps %j as its cause", async (why) => {
    const signal = AbortSignal.abort(why);

    const { error } = await failing(queued(), ({ jobs }) => jobs.submit(paidJob, { signal }));

    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("AbortError");
    expect(error.cause).toBe(why);
  });

  it("by AbortSignal.timeout is an abort, caused by the timeout", async () => {
    const signal = AbortSignal.timeout(30);

    const { error } = await failing(silence, ({ jobs }) => jobs.submit(paidJob, { signal }));

    expect(error).toMatchObject({ name: "AbortError", cause: { name: "TimeoutError" } });
    expect(error.message).toBe(`POST /v1/jobs was aborted (TimeoutError)${doubtOfSubmission}`);
  });
});
