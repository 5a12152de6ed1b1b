import { type AdGenClient, type AdGenError, findLostJobs } from "adgen-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import {
  createScriptedClient,
  late,
  offline,
  type Poll,
  watchPromise,
} from "../polling/scripted-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const job = (id: string, more: object = {}) => ({ job_id: id, status: "queued", ...more });

const answer =
  (data: unknown, status = 200, headers: HeadersInit = {}): Poll =>
  () => {
    const isGood = status < 400;
    const body = { success: isGood, data: isGood ? data : null, error: isGood ? null : "no" };
    return Response.json(body, { status, headers });
  };
const list = (...jobs: object[]): Poll => answer({ jobs });

const lose = (client: AdGenClient): Promise<AdGenError> =>
  rejection(client.jobs.submit(paidJob, { maxRetries: 0 }));

/** Loses a submission, then plays the polls of the search. */
const startLost = async (...polls: Poll[]) => {
  const scripted = createScriptedClient([offline, ...polls]);
  const error = await lose(scripted.client);
  const search = (options?: object) =>
    watchPromise(findLostJobs(scripted.client, error, options), scripted.now);
  return { ...scripted, error, search };
};

describe("findLostJobs", () => {
  it("gives the recent jobs of the action that this client has not seen", async () => {
    const { client } = createScriptedClient([
      list(job("old")),
      answer(job("own"), 202),
      answer({ status: "queued" }),
      async (request) => {
        await vi.advanceTimersByTimeAsync(10);
        return offline(request);
      },
      list(
        job("lost"),
        job("own"),
        job("other", { action: "video-a-2" }),
        job("old"),
        job("looked"),
      ),
      list(job("lost"), job("own")),
    ]);
    await client.jobs.list();
    await client.jobs.submit(paidJob);
    await client.jobs.get("looked");
    await vi.advanceTimersByTimeAsync(10);
    const error = await lose(client);

    const found = await findLostJobs(client, error);

    expect(found).toEqual({ candidates: [job("lost")], polls: 1, elapsedMs: expect.any(Number) });
    // The first search has shown the job to the client, which must not hide it from the second.
    expect((await findLostJobs(client, error)).candidates).toEqual([job("lost")]);
  });

  it("takes a job whose action it does not know for a candidate", async () => {
    const unknown = job("lost", { action: "generate-ad-v2" });
    const { search } = await startLost(list(unknown, job("other", { action: "video-a-2" })));
    const found = search();
    await vi.advanceTimersByTimeAsync(0);
    expect(found.value).toMatchObject({ candidates: [unknown] });
  });

  it("polls again with growing pauses until there is a candidate", async () => {
    const { search, polls } = await startLost(list(), list(), list(), list(job("lost")));
    const settled = search();

    await vi.advanceTimersByTimeAsync(15_000);

    expect(settled.value).toEqual({ candidates: [job("lost")], polls: 4, elapsedMs: 3_500 });
    expect(polls.slice(1)).toEqual([0, 500, 1_500, 3_500]);
  });

  it("gives no candidate when its time is over", async () => {
    const { search, polls } = await startLost(list());
    const settled = search({ withinMs: 2_000 });

    await vi.advanceTimersByTimeAsync(10_000);

    expect(settled.value).toEqual({ candidates: [], polls: 4, elapsedMs: 2_000 });
    expect(polls.slice(1)).toEqual([0, 500, 1_500, 2_000]);
  });

  it("polls once when it has no time", async () => {
    const { search, polls } = await startLost(list());
    const settled = search({ withinMs: 0, limit: 5 });

    await vi.advanceTimersByTimeAsync(10_000);

    expect(settled.value).toMatchObject({ candidates: [], polls: 1 });
    expect(polls).toHaveLength(2);
  });

  it("waits failures out that pass, and a wait that the service asks for", async () => {
    const slowDown = answer(null, 429, { "retry-after": "3" });
    const page: Poll = () => new Response("<h1>Be right back</h1>");
    const { search, polls } = await startLost(offline, slowDown, page, list(job("lost")));
    const settled = search();

    await vi.advanceTimersByTimeAsync(15_000);

    expect(settled.value).toMatchObject({ candidates: [job("lost")], polls: 4 });
    expect(polls.slice(1)).toEqual([0, 500, 3_500, 5_500]);
  });

  it.each<[string, Poll, object, number]>([
    ["at once when no poll can succeed", answer(null, 401), { code: "unauthorized" }, 0],
    [
      "at once when the wait is too long",
      answer(null, 429, { "retry-after": "60" }),
      { retryAfterMs: 60_000 },
      0,
    ],
    ["when no poll has succeeded in time", offline, { code: "connection" }, 15_000],
  ])("rejects %s", async (_, poll, error, at) => {
    const settled = (await startLost(poll)).search();

    await vi.advanceTimersByTimeAsync(20_000);

    expect(settled).toMatchObject({ error, at });
  });

  it("ends with its signal", async () => {
    const { search, polls } = await startLost(list());
    const controller = new AbortController();
    const settled = search({ signal: controller.signal });
    await vi.advanceTimersByTimeAsync(100);

    controller.abort("enough");
    await vi.advanceTimersByTimeAsync(0);

    expect(settled).toMatchObject({ error: { code: "aborted", cause: "enough" }, at: 100 });
    expect(polls).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves out a job whose submission was answered meanwhile", async () => {
    const { client, search } = await startLost(
      list(),
      answer(job("own"), 202),
      list(job("own")),
      list(job("own"), job("lost")),
    );
    const settled = search();
    await vi.advanceTimersByTimeAsync(100);
    await client.jobs.submit(paidJob);

    await vi.advanceTimersByTimeAsync(5_000);

    expect(settled.value).toMatchObject({ candidates: [job("lost")], polls: 3 });
  });

  it("does not take the id of the service's error for the lost job", async () => {
    const failed = { success: false, data: null, error: "internal error", id: "err_42" };
    const { client } = createScriptedClient([
      () => Response.json(failed, { status: 500 }),
      list(job("lost")),
    ]);

    const { candidates } = await findLostJobs(client, await lose(client));

    expect(candidates).toEqual([job("lost")]);
  });

  it("waits for submissions on their way, and leaves out their jobs", async () => {
    const { client, search } = await startLost(
      late(2_000, answer(job("twin"), 202)),
      list(job("twin"), job("lost")),
    );
    const submitted = client.jobs.submit(paidJob);
    const settled = search();

    await vi.advanceTimersByTimeAsync(1_900);
    expect(settled.at).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);

    expect(await submitted).toEqual(job("twin"));
    expect(settled.value).toMatchObject({ candidates: [job("lost")], polls: 1 });
    expect(settled.value).not.toHaveProperty("openElsewhere");
  });

  it("polls on where each candidate turned out to be another submission's", async () => {
    const { client, search } = await startLost(
      late(1_000, answer(job("twin"), 202)),
      list(job("twin")),
      list(job("twin"), job("lost")),
    );
    void client.jobs.submit(paidJob);
    const settled = search();

    await vi.advanceTimersByTimeAsync(5_000);

    expect(settled.value).toMatchObject({ candidates: [job("lost")], polls: 2 });
  });

  it("counts submissions that are still on their way when its time is over", async () => {
    const { client, search } = await startLost(
      late(30_000, answer(job("twin"), 202)),
      list(job("twin")),
    );
    const submitted = client.jobs.submit(paidJob);
    const settled = search({ withinMs: 1_000 });

    await vi.advanceTimersByTimeAsync(2_000);

    expect(settled.value).toMatchObject({ candidates: [job("twin")], openElsewhere: 1 });
    await vi.advanceTimersByTimeAsync(30_000);
    await submitted;
  });

  it("ends with its signal while it waits for a submission on its way", async () => {
    const { client, search } = await startLost(
      late(5_000, answer(job("twin"), 202)),
      list(job("twin")),
    );
    const submitted = client.jobs.submit(paidJob);
    const controller = new AbortController();
    const settled = search({ signal: controller.signal });
    await vi.advanceTimersByTimeAsync(1_000);

    controller.abort("enough");
    await vi.advanceTimersByTimeAsync(0);

    expect(settled).toMatchObject({ error: { code: "aborted", cause: "enough" }, at: 1_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    await submitted;
  });

  it("works with a client that is written by hand, and with errors of another client", async () => {
    const { error } = await startLost();
    const jobs = { list: async () => ({ items: [job("a")], meta: {} }), get: vi.fn() };

    const { candidates } = await findLostJobs({ jobs: jobs as never }, error);

    expect(candidates).toEqual([job("a")]);
  });
});

describe("a job that the broken answer named", () => {
  it("is the one candidate, as soon as the service knows it", async () => {
    const { client, now } = createScriptedClient([
      answer({ job_id: "named" }, 202),
      answer(null, 404),
      answer({ status: "processing" }),
    ]);
    const error = await lose(client);
    expect(error).toMatchObject({ code: "decode", jobId: "named" });
    const settled = watchPromise(findLostJobs(client, error), now);

    await vi.advanceTimersByTimeAsync(15_000);

    const found = { job_id: "named", status: "processing" };
    expect(settled.value).toEqual({ candidates: [found], polls: 2, elapsedMs: 500 });
  });

  it("is none when the service does not know it for all the time", async () => {
    const { client, now } = createScriptedClient([
      answer({ job_id: "named" }, 202),
      answer(null, 404),
    ]);
    const settled = watchPromise(findLostJobs(client, await lose(client)), now);

    await vi.advanceTimersByTimeAsync(20_000);

    expect(settled.value).toMatchObject({ candidates: [], elapsedMs: 15_000 });
  });
});

describe("an argument that makes no sense", () => {
  const client = clientOf({ url: "http://ads.test" });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      "no error of ours",
      async () => new Error("x"),
      "takes a client, then the error that jobs.submit threw; got an object",
    ],
    ["undefined", async () => undefined, "the error that jobs.submit threw; got undefined"],
    [
      "a submission that was refused",
      async () => lose(createScriptedClient([answer(null, 402)]).client),
      'this submission has the outcome "refused", so that it made no job',
    ],
    [
      "the error of a read",
      async () => rejection(createScriptedClient([answer(null, 404)]).client.jobs.get("j")),
      "the not_found error of /v1/jobs/j is none of a submission",
    ],
  ])("is refused: %s", async (_, makeError, words) => {
    const error = await rejection(findLostJobs(client, await makeError()));

    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toContain(words);
  });

  it.each([[{ withinMs: -1 }], [{ limit: 1.5 }], [{ within: 1 } as object]])(
    "is refused: %j",
    async (options) => {
      const { error } = await startLost();

      const refusal = await rejection(findLostJobs(client, error, options));
      expect(refusal).toMatchObject({ code: "invalid_request" });
      expect(refusal).not.toHaveProperty("outcome");
    },
  );
});
