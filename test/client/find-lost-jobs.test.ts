import { type AdGenClient, type AdGenError, findLostJobs } from "adgen-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { expectNoTimers, useFakedTime } from "../helpers/faked-time.ts";
import {
  createScriptedClient,
  late,
  offline,
  type Poll,
  refused,
  type Step,
  success,
  watchPromise,
} from "../polling/scripted-client.ts";

useFakedTime();

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const job = (id: string, more: object = {}) => ({ job_id: id, status: "queued", ...more });
const lost = job("lost");
const list = (...jobs: object[]): Poll => success({ jobs });

const lose = (client: AdGenClient): Promise<AdGenError> =>
  rejection(client.jobs.submit(paidJob, { maxRetries: 0 }));

/** Loses a submission by the first answer; the polls of the search get the others in turn. */
const startLost = async (first: Step, ...polls: Step[]) => {
  const scripted = createScriptedClient([first, ...polls]);
  const error = await lose(scripted.client);
  const search = (options?: object) =>
    watchPromise(findLostJobs(scripted.client, error, options), scripted.now);
  return { ...scripted, error, search };
};

describe("findLostJobs", () => {
  const other = job("other", { action: "video-a-2" });
  const newAction = job("lost", { action: "generate-ad-v2" });
  const all = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_000];

  /** Searches to the end; gives its end, and the times of its polls. */
  const searchAfter = async (first: Step, polls: Step[], options?: object) => {
    const { search, polls: times } = await startLost(first, ...polls);
    const settled = search(options);
    await pass(20_000);
    return { settled, times: times.slice(1) };
  };

  it.each<[string, Step[], times: number[], end: object[] | object, options?: object]>([
    ["grows its pauses", [list(), list(), list(), list(lost)], all.slice(0, 4), [lost]],
    ["gives none in its time", [list()], [0, 500, 1_500, 2_000], [], { withinMs: 2_000 }],
    ["polls once without time", [list()], [0], [], { withinMs: 0, limit: 5 }],
    ["takes a job of an unknown action", [list(newAction, other)], [0], [newAction]],
    ["rejects where no poll can succeed", [401], [0], { code: "unauthorized" }],
    ["rejects where the wait is too long", [refused(429, 60)], [0], { retryAfterMs: 60_000 }],
  ])("%s", async (_, polls, times, end, options) => {
    const { settled, times: polledAt } = await searchAfter(offline, polls, options);

    expect(polledAt).toEqual(times);
    const at = times.at(-1);
    expect(settled).toEqual({
      at,
      ...(Array.isArray(end)
        ? { value: { candidates: end } }
        : { error: expect.objectContaining(end) }),
    });
  });

  it("gives the recent jobs of the action that this client has not seen", async () => {
    const { client } = createScriptedClient([
      list(job("old")),
      success(job("own"), 202),
      "queued",
      async (request) => {
        await pass(10);
        return offline(request);
      },
      list(lost, job("own"), job("other", { action: "video-a-2" }), job("old"), job("looked")),
      list(lost, job("own")),
    ]);
    await client.jobs.list();
    await client.jobs.submit(paidJob);
    await client.jobs.get("looked");
    await pass(10);
    const error = await lose(client);

    const found = await findLostJobs(client, error);

    expect(found).toEqual({ candidates: [lost] });
    // The first search has shown the job to the client, which must not hide it from the second.
    expect((await findLostJobs(client, error)).candidates).toEqual([lost]);
  });

  it("works with a client that is written by hand, and with errors of another client", async () => {
    const { error } = await startLost(offline);
    const jobs = { list: async () => ({ items: [job("a")], meta: {} }), get: vi.fn() };

    expect((await findLostJobs({ jobs: jobs as never }, error)).candidates).toEqual([job("a")]);
  });
});

describe("findLostJobs beside a submission on its way", () => {
  const twin = job("twin");

  /** Starts a search beside a submission that is answered after so long. */
  const startBeside = async (ms: number, polls: Poll[], options?: object) => {
    const scene = await startLost(offline, late(ms, success(twin, 202)), ...polls);
    const submitted = scene.client.jobs.submit(paidJob);
    return { submitted, settled: scene.search(options), polls: scene.polls };
  };

  it("waits for it, leaves out its job, and polls on where there is no other", async () => {
    const scene = await startBeside(2_000, [list(twin), list(twin, lost)]);
    const { submitted, settled, polls } = scene;

    await pass(1_900);
    expect(settled.at).toBeUndefined();
    await pass(5_000);

    expect(await submitted).toEqual(twin);
    expect(settled.value).toEqual({ candidates: [lost] });
    expect(polls).toHaveLength(4);
  });

  it.each([
    ["while it waits for it", 5_000, [list(twin)]],
    ["while it pauses", 0, [list()]],
  ])("ends with its signal %s", async (_, ms, polls) => {
    const controller = new AbortController();
    const { submitted, settled } = await startBeside(ms, polls, { signal: controller.signal });
    await pass(200);

    controller.abort("enough");
    await pass(0);

    expect(settled).toMatchObject({ error: { code: "aborted", cause: "enough" }, at: 200 });
    await pass(5_000);
    await submitted;
    await expectNoTimers();
  });
});

describe("an argument that makes no sense", () => {
  const client = clientOf({ url: "http://ads.test" });

  it.each<[string, () => unknown, string]>([
    ["another error", () => new Error("x"), "the error that jobs.submit threw; got an object"],
    ["none", () => {}, "takes a client, then the error that jobs.submit threw; got undefined"],
    [
      "that of a submission that was refused",
      () => lose(createScriptedClient([402]).client),
      'this submission has the outcome "refused", so that it made no job',
    ],
    [
      "that of a read",
      () => rejection(createScriptedClient([404]).client.jobs.get("j")),
      "the not_found error of /v1/jobs/j is none of a submission",
    ],
  ])("is refused as error: %s", async (_, makeError, words) => {
    const error = await rejection(findLostJobs(client, await makeError()));

    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toContain(words);
  });

  it("is refused as an option", async () => {
    const { client, error } = await startLost(offline);
    for (const options of [{ withinMs: -1 }, { limit: 1.5 }, { within: 1 }]) {
      const refusal = await rejection(findLostJobs(client, error, options));
      expect(refusal).toMatchObject({ code: "invalid_request" });
      expect(refusal).not.toHaveProperty("outcome");
    }
  });
});
