import { describe, expect, it, vi } from "vitest";
import type { CallOptions, ClientOptions } from "../../src/index.ts";
import { drip, queued, silence, stallBody, stallHeaders, success } from "../helpers/answers.ts";
import { block } from "../helpers/block.ts";
import { type Call, createBrand, failing, get, schemaOf, submit } from "../helpers/calls.ts";
import { paidJob, timed } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import type { Answer } from "../helpers/http-server.ts";
import { hang, play, refuse } from "../helpers/virtual-time.ts";

/** Milliseconds that an overloaded machine may add to any time. */
const slackMs = 10_000;

describe.concurrent("a call settles in its time, and gives up the connection", () => {
  it.each<[string, Answer, number | undefined]>([
    ["silence", silence, undefined],
    ["headers that stop midway", stallHeaders, undefined],
    ["a body that stops midway", stallBody(), 200],
    ["a body that drips for ever", drip(), 200],
  ])("against %s", async (_, fault, status) => {
    const { value, ms } = await timed(() => failing(fault, get, { totalTimeoutMs: 250 }));
    const { error, sockets } = value;
    await vi.waitUntil(() => sockets.size === 0, { interval: 5, timeout: 60_000 });

    expect(error).toMatchObject({ name: "TimeoutError", code: "timeout", jobId: "j" });
    expect(error.status).toBe(status);
    expect(error.elapsedMs).toBeGreaterThanOrEqual(245);
    expect(ms).toBeGreaterThanOrEqual(245);
    expect(ms).toBeLessThan(250 + slackMs);
  });

  it("and keeps the status of a failure whose body never ends", async () => {
    const { error } = await failing(stallBody(402), submit, { timeoutMs: 300 });
    expect(error).toMatchObject({ name: "PaymentRequiredError", status: 402, outcome: "refused" });
  });
});

/** Rows: options of client and call, the time of a read against silence, and its option. */
const ofReads: [ClientOptions, CallOptions, number, string][] = [
  [{}, {}, 60_000, "totalTimeoutMs"],
  [{ maxRetries: 0 }, {}, 30_000, "timeoutMs"],
  [{ timeoutMs: 250, maxRetries: 0 }, {}, 250, "timeoutMs"],
  [{ timeoutMs: 250 }, {}, 500, "totalTimeoutMs"],
  [{ totalTimeoutMs: 250 }, {}, 250, "totalTimeoutMs"],
  [{ timeoutMs: 10_000, totalTimeoutMs: 15_000 }, {}, 15_000, "totalTimeoutMs"],
  [{}, { timeoutMs: 250 }, 250, "timeoutMs"],
  [{ totalTimeoutMs: 15_000 }, { timeoutMs: 5 }, 5, "timeoutMs"],
  [{}, { totalTimeoutMs: 250 }, 250, "totalTimeoutMs"],
  [{ timeoutMs: 60_000 }, { timeoutMs: 40_000, totalTimeoutMs: 250 }, 250, "totalTimeoutMs"],
  [{ maxRetries: 0 }, { timeoutMs: 250, totalTimeoutMs: 5_000 }, 250, "timeoutMs"],
  [{ timeoutMs: 2 ** 31 - 1 }, {}, 2 ** 31 - 1, "timeoutMs"],
];

describe("the time of a call, against a fetch that ignores the signal", () => {
  it.each(ofReads)("with %j and %j is %i ms (%s)", async (options, ofCall, ms, name) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const read: Call = ({ jobs }) => jobs.get("j", ofCall);

    const played = await play([hang], read, { maxRetries: 10, ...options });
    vi.mocked(Math.random).mockRestore();

    expect(played.error).toMatchObject({ code: "timeout", elapsedMs: ms });
    expect(played.ms).toBe(ms);
    const limit =
      name === "timeoutMs" ? ms : (ofCall.totalTimeoutMs ?? options.totalTimeoutMs ?? ms);
    expect(played.error?.message).toBe(`GET /v1/jobs/j timed out after ${limit} ms (${name})`);
  });

  it.each<[string, number, Call]>([
    ["jobs.submit", 60_000, submit],
    ["brands.create", 30_000, createBrand],
    ["brands.update", 30_000, ({ brands }) => brands.update("b", {})],
    ["brands.delete", 30_000, ({ brands }) => brands.delete("b", { maxRetries: 0 })],
    ["brands.listAds", 30_000, ({ brands }) => brands.listAds("b", { maxRetries: 0 })],
    ["savedAds.create", 30_000, ({ savedAds }) => savedAds.create({ brand_id: "b" })],
  ])("is by default, for an attempt of %s, %i ms", async (_, ms, call) => {
    const { error, ms: taken } = await play([hang], call);
    expect(error).toMatchObject({ code: "timeout" });
    expect(taken).toBe(ms);
  });

  it("is two minutes by default for a submission", async () => {
    const soon = refuse(429, { "retry-after": "107" });
    const late = refuse(429, { "retry-after": "108" });
    expect(await play([soon, hang], submit)).toMatchObject({ ms: 120_000, sentAt: [0, 107_001] });
    expect(await play([late, hang], submit)).toMatchObject({ ms: 0, sentAt: [0] });
  });

  it("holds against an apiKey function that hangs, and nothing is sent", async () => {
    const call: Call = ({ jobs }) => jobs.submit(paidJob, { timeoutMs: 60 });
    const { error, ms, sentAt } = await play([hang], call, { apiKey: hang });

    expect(error).toMatchObject({ code: "timeout", outcome: "not-sent" });
    expect(error?.message).toBe("POST /v1/jobs timed out after 60 ms (timeoutMs)");
    expect([ms, sentAt]).toEqual([60, []]);
  });

  it("is over when a hook has used it up: nothing is sent", async () => {
    const hooks = { onRequest: () => block(150) };
    const { error, received } = await failing(queued(), submit, { timeoutMs: 100, hooks });
    expect(error).toMatchObject({ code: "timeout", outcome: "not-sent" });
    expect(received).toHaveLength(0);
  });

  it("ends a submission in doubt, which says so", async () => {
    const { error } = await play([hang], submit, { timeoutMs: 40 });
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    expect(error?.message).toBe(
      `POST /v1/jobs timed out after 40 ms (timeoutMs)${doubtOfSubmission}`,
    );
  });
});

describe.concurrent("the time of a call holds against a schema that hangs", () => {
  const never = schemaOf(() => new Promise<never>(() => {}));
  const schemas = { brand: never, results: { "edit-ad": never } };
  const edited = success({ status: "completed", action: "edit-ad" });

  it.each<[string, Answer, Call, object, string]>([
    ["of results", edited, get, { status: 200, jobId: "j" }, ""],
    [
      "of a write",
      success({ id: "b" }),
      createBrand,
      { outcome: "unknown" },
      "; it may have been carried out",
    ],
    ["of a read", success([{ id: "b" }]), ({ brands }) => brands.list(), { attempts: 1 }, ""],
  ])("%s", async (_, answer, call, facts, doubt) => {
    const options = { schemas, timeoutMs: 300, totalTimeoutMs: 20_000 };
    const { error, received } = await failing(answer, call, options);

    const [{ method, url } = { method: "", url: "" }] = received;
    expect(error).toMatchObject({ code: "timeout", status: 200, ...facts });
    expect(error.elapsedMs).toBeGreaterThanOrEqual(295);
    expect(error.message).toBe(
      `${method} ${url} was answered, but your schema timed out after 300 ms (timeoutMs)${doubt}`,
    );
    expect(received).toHaveLength(1);
  });
});
