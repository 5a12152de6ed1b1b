import { type AdGenClient, type AdGenError, findLostJobs } from "adgen-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { useFakedTime } from "../helpers/faked-time.ts";
import {
  createScriptedClient,
  late,
  offline,
  type Poll,
  type Step,
  success,
  watchPromise,
} from "./polling/scripted-client.ts";

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
  it("gives the job that a broken answer named", async () => {
    const { search } = await startLost(success({ job_id: "named" }, 202), "processing");
    const settled = search();
    await pass(0);
    const candidates = [{ job_id: "named", status: "processing" }];
    expect(settled.value).toEqual({ candidates, openElsewhere: 0 });
  });

  it("takes a job of an unknown action, and no failure for an empty list", async () => {
    const other = job("other", { action: "video-a-2" });
    const newAction = job("lost", { action: "generate-ad-v2" });
    const { search } = await startLost(offline, list(newAction, other), 401);
    const [found, failed] = [search(), search({ limit: 5 })];
    await pass(0);
    expect(found.value).toMatchObject({ candidates: [newAction] });
    expect(failed.error).toMatchObject({ code: "unauthorized" });
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

    expect(found).toEqual({ candidates: [lost], openElsewhere: 0 });
    // The first search has shown the job to the client, which must not hide it from the second.
    expect((await findLostJobs(client, error)).candidates).toEqual([lost]);
  });

  it("works with a client that is written by hand, and with errors of another client", async () => {
    const { error } = await startLost(offline);
    const jobs = { list: async () => ({ items: [job("a")], meta: {} }), get: vi.fn() };

    expect((await findLostJobs({ jobs: jobs as never }, error)).candidates).toEqual([job("a")]);
  });
});

it("counts the submissions beside it", async () => {
  const { client, search } = await startLost(offline, late(9_000, success(lost, 202)), list(lost));
  const submitted = client.jobs.submit(paidJob);
  const settled = search();
  await pass(0);
  expect(settled.value).toMatchObject({ candidates: [lost], openElsewhere: 1 });
  await pass(9_000);
  await submitted;
});

describe("an argument that makes no sense", () => {
  const client = clientOf({ url: "http://ads.test" });

  it.each<[string, () => unknown, string]>([
    ["another error", () => new Error("x"), "the error that jobs.submit threw; got an object"],
    ["none", () => {}, "takes a client, then the error that jobs.submit threw; got undefined"],
    [
      "that of a submission that was refused",
      () => lose(createScriptedClient([402]).client),
      'this submission has the outcome "refused", so it made no job',
    ],
    [
      "that of a read",
      () => rejection(createScriptedClient([404]).client.jobs.get("j")),
      "the not_found error of /v1/jobs/j did not come from a submission",
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
