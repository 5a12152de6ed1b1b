import { describe, expect, it } from "vitest";
import { createClient, toResult } from "../../src/index.ts";
import { abortWhen, expectAbort, reason } from "../helpers/aborts.ts";
import { queued, silence } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";

describe("an abort", () => {
  it("before the call sends nothing", async () => {
    const server = await listen(queued());
    let keys = 0;
    const client = clientOf(server, { apiKey: () => `test-${++keys}` });
    const signal = AbortSignal.abort(reason);

    const error = await rejection(client.jobs.submit(paidJob, { signal }));
    await pause(20);

    expectAbort(error);
    expect(error).toMatchObject({ outcome: "not-sent", attempts: 0, method: "POST" });
    expect(server.received).toHaveLength(0);
    expect(keys).toBe(0);
  });

  it("in the same tick as the call sends nothing", async () => {
    const server = await listen(queued());

    await abortWhen(Promise.resolve(), (signal) =>
      clientOf(server).jobs.submit(paidJob, { signal }),
    );
    await pause(20);

    expect(server.sockets.size).toBe(0);
  });

  it("a few microtasks after the call sends nothing either, even if fetch ignores the signal", async () => {
    const late: number[] = [];
    for (let ticks = 0; ticks < 40; ticks++) {
      const controller = new AbortController();
      const { signal } = controller;
      const fetch = async () => {
        if (signal.aborted) late.push(ticks);
        return Response.json({
          success: true,
          data: { job_id: "j", status: "queued" },
          error: null,
        });
      };
      const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });
      const ended = toResult(client.jobs.submit(paidJob, { signal }));
      for (let tick = 0; tick < ticks; tick++) await undefined;
      controller.abort(reason);
      await ended;
    }

    expect(late).toEqual([]);
  });

  it("by the onRequest hook sends nothing, even if fetch ignores the signal", async () => {
    const controller = new AbortController();
    let sent = 0;
    const client = createClient({
      baseUrl: "http://ads.test",
      apiKey: testKey,
      hooks: { onRequest: () => controller.abort(reason) },
      fetch: async () => {
        sent++;
        return new Response();
      },
    });

    const error = await rejection(client.jobs.submit(paidJob, { signal: controller.signal }));

    expectAbort(error);
    expect(error.outcome).toBe("not-sent");
    expect(sent).toBe(0);
  });

  it("while the apiKey function runs sends nothing, also when the key comes later", async () => {
    const server = await listen(queued());
    const events: unknown[] = [];
    const client = clientOf(server, {
      apiKey: async () => {
        await pause(40);
        return testKey;
      },
      hooks: { onRequest: (event) => events.push(event) },
    });

    const error = await abortWhen(pause(10), (signal) => client.jobs.submit(paidJob, { signal }));
    await pause(50);

    expect(error.outcome).toBe("not-sent");
    expect(server.received).toHaveLength(0);
    expect(events).toEqual([]);
  });

  it("after the answer changes nothing", async () => {
    const server = await listen(queued());
    const controller = new AbortController();

    const job = await clientOf(server).jobs.submit(paidJob, { signal: controller.signal });
    controller.abort(reason);

    expect(job.job_id).toBe("job-1");
  });

  it.each([["a text"], [{ why: "quota" }], [null], [0]])("keeps %j as its cause", async (why) => {
    const server = await listen(queued());
    const signal = AbortSignal.abort(why);

    const error = await rejection(clientOf(server).jobs.submit(paidJob, { signal }));

    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("AbortError");
    expect(error.cause).toBe(why);
  });

  it("by AbortSignal.timeout is an abort, caused by the timeout", async () => {
    const server = await listen(silence);
    const signal = AbortSignal.timeout(30);

    const error = await rejection(clientOf(server).jobs.submit(paidJob, { signal }));

    expect(error).toMatchObject({ name: "AbortError", cause: { name: "TimeoutError" } });
    expect(error.message).toBe(`POST /v1/jobs was aborted (TimeoutError)${doubtOfSubmission}`);
  });
});
