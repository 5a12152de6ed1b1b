import { describe, expect, it } from "vitest";
import type { CallOptions } from "../../src/index.ts";
import { cut, failure, queued, raw, reset, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection, timed } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Options of a caller who asks for the most repetitions. */
const eager = { maxRetries: 10, timeoutMs: 250, totalTimeoutMs: 5_000 };

/** Time for a request that comes after the call has settled. */
const settleMs = 20;

describe("a paid POST is sent once", () => {
  it("over a kept connection that breaks", async () => {
    const ports: (number | undefined)[] = [];
    const server = await listen((response, request) => {
      ports.push(response.socket?.remotePort);
      (ports.length > 1 ? reset : success([]))(response, request);
    });
    const client = clientOf(server);
    await client.jobs.list();
    await pause(settleMs);

    const error = await rejection(client.jobs.submit(paidJob, eager));
    await pause(settleMs);

    expect(ports).toEqual([ports[0], ports[0]]);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });

  it("when hints come before its answer", async () => {
    const server = await listen((response, request) => {
      response.writeEarlyHints({ link: "</a.css>; rel=preload" });
      queued()(response, request);
    });

    expect((await clientOf(server).jobs.submit(paidJob)).job_id).toBe("job-1");
    expect(server.received).toHaveLength(1);
  });

  it("by submitAndPoll", async () => {
    const server = await listen(failure(503), queued());

    const error = await rejection(clientOf(server).jobs.submitAndPoll(paidJob));
    await pause(settleMs);

    expect(server.received).toMatchObject([{ method: "POST", url: "/v1/jobs" }]);
    expect(error).toMatchObject({ code: "server_error", outcome: "unknown" });
  });
});

it.each<[string, Answer]>([
  ["a reset", reset],
  ["silence", silence],
  ["a 500", failure(500)],
  ["a cut", cut(200)],
  ["HTML", raw(200, "<html>")],
])("a change of a brand is sent once against %s", async (_, fault) => {
  const server = await listen(fault, success({ id: "b" }));

  const error = await rejection(clientOf(server).brands.update("b", {}, eager));
  await pause(settleMs);

  expect(server.received).toHaveLength(1);
  expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  expect(error.message).toMatch(/; it may have been carried out$/);
});

describe("submit, refused by a 429", () => {
  const refusal = (wait: string) => failure(429, "slow down", { "retry-after": wait });

  it("is sent again after the wait that the service asks for", async () => {
    const server = await listen(refusal("0.3"), queued());

    const { value: job, ms } = await timed(() => clientOf(server).jobs.submit(paidJob));

    expect(job.job_id).toBe("job-1");
    expect(server.received).toHaveLength(2);
    expect(ms).toBeGreaterThanOrEqual(300);
  });

  it.each<[string, string | undefined, CallOptions, number | undefined]>([
    ["without a wait", undefined, {}, undefined],
    ["with a wait that makes no sense", "soon", {}, undefined],
    ["with a negative wait", "-5", {}, undefined],
    ["with a negative wait of nothing", "-0", {}, undefined],
    ["with two waits", "5, 10", {}, undefined],
    ["with a wait in hexadecimal", "0x10", {}, undefined],
    ["with a wait beyond the default time", "121", {}, 121_000],
    ["with a wait beyond the call's timeoutMs", "2", { timeoutMs: 1_500 }, 2_000],
    ["with a wait beyond the call's totalTimeoutMs", "2", { totalTimeoutMs: 1_500 }, 2_000],
    ["with a wait of centuries", "9999999999", {}, 9_999_999_999_000],
    ["with a wait beyond all numbers", "9".repeat(400), {}, 2 ** 53],
    ["with a wait, but no retries left", "0", { maxRetries: 0 }, 0],
  ])("%s, rejects promptly", async (_, wait, options, retryAfterMs) => {
    const server = await listen(wait === undefined ? failure(429, "slow down") : refusal(wait));

    const { value: error, ms } = await timed(() =>
      rejection(clientOf(server).jobs.submit(paidJob, options)),
    );

    expect(server.received).toHaveLength(1);
    const rateLimited = { name: "ApiError", code: "rate_limited", status: 429, outcome: "refused" };
    expect(error).toMatchObject(rateLimited);
    expect(error.retryAfterMs).toBe(retryAfterMs);
    const seconds = retryAfterMs === 2 ** 53 ? 9_007_199_254_741 : (retryAfterMs ?? 0) / 1_000;
    const hint = retryAfterMs === undefined ? "" : `; try again in ${seconds} s`;
    expect(error.message).toBe(`POST /v1/jobs answered 429: slow down${hint}`);
    expect(ms).toBeLessThan(1_000);
  });

  it.each(["0", "0.000"])("is no burst when it may come back after %j", async (wait) => {
    const server = await listen(refusal(wait));
    const waits: number[] = [];
    const hooks = { onRetry: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) };
    const client = clientOf(server, { maxRetries: 10, hooks });

    const error = await rejection(client.jobs.submit(paidJob, { totalTimeoutMs: 500 }));

    // 50, 100 and 200 ms: the next wait would not leave time for an attempt.
    expect(waits).toEqual([50, 100, 200]);
    expect(server.received).toHaveLength(4);
    expect(error).toMatchObject({ code: "rate_limited", outcome: "refused" });
  });
});

describe("a proxy's word on a write", () => {
  it.each<[number, string, string, boolean]>([
    [503, "not-sent", "not-sent", true],
    [502, "refused", "refused", true],
    [409, "refused", "refused", true],
    [402, "not-sent", "not-sent", true],
    [402, "unknown", "unknown", true],
    // No word at all, and the word of the service itself.
    [502, "", "unknown", true],
    [502, "sent", "unknown", true],
    [502, "toString", "unknown", true],
    [502, "refused, unknown", "unknown", true],
    [502, "not-sent", "unknown", false],
  ])("on a %i is %j: the outcome is %s", async (status, word, outcome, isProxy) => {
    const server = await listen(failure(status, "no", { "adgen-outcome": word }));

    const client = clientOf(server, isProxy ? { apiKey: null } : {});
    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({ status, outcome, attempts: 1 });
    expect(error.message.endsWith(doubtOfSubmission)).toBe(outcome === "unknown");
  });

  it("never takes back the doubt of an earlier attempt, and says nothing of a read", async () => {
    const said = (status: number, word: string) =>
      failure(status, "no", { "retry-after": "0", "adgen-outcome": word });
    const brandsOf = async (...answers: Answer[]) =>
      clientOf(await listen(...answers), { apiKey: null }).brands;
    const refusedTwice = await brandsOf(said(429, "refused"), said(503, "not-sent"));
    const unknownFirst = await brandsOf(said(503, "unknown"), said(503, "not-sent"));
    const ofRead = await brandsOf(said(404, "unknown"));

    expect(await rejection(refusedTwice.create({ name: "a" }))).toMatchObject({
      ...{ status: 503, outcome: "not-sent", attempts: 2 },
    });
    expect(await rejection(unknownFirst.delete("b"))).toMatchObject({
      ...{ outcome: "unknown", attempts: 3 },
    });
    expect((await rejection(ofRead.list())).outcome).toBeUndefined();
  });
});
