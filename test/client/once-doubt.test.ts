import { describe, expect, it } from "vitest";
import { findLostJobs, isAdGenError } from "../../src/index.ts";
import { createMemoryStore } from "../../src/submissions.ts";
import { cut, failure, queued, silence, success } from "../helpers/answers.ts";
import { paidJob, rejection, timed } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { afterRestart, once, open, posts, startWith, unsent } from "./paid-scene.ts";

const listed = [
  { job_id: "job-9", status: "queued", action: "video-a-2" },
  { job_id: "job-8", status: "queued", action: "generate-ad" },
  { job_id: "job-7", status: "queued" },
  { job_id: "job-6", status: "queued" },
];

/** A submission whose answer was lost, beside one whose job is known. */
const startWithDoubt = async (...later: Answer[]) => {
  const started = await startWith(
    queued("job-6"),
    failure(500),
    success({ jobs: listed }),
    ...later,
  );
  await started.jobs.submit(paidJob, { once: "order-16" });
  const lost = await rejection(started.jobs.submit(paidJob, { once }));
  expect(lost).toMatchObject({ code: "server_error", outcome: "unknown" });
  const error = await rejection(started.jobs.submit(paidJob, { once }));
  if (!isAdGenError(error) || error.code !== "in_doubt") throw error;
  return { ...started, error };
};

describe("an id in doubt", () => {
  it("is told with its doubt and with candidates, and nothing is sent", async () => {
    const { server, error } = await startWithDoubt();

    expect(error).toMatchObject({ ...unsent, name: "InDoubtError", outcome: "unknown" });
    expect(error.message).toContain("submissions.decide(error.doubt");
    expect(error.doubt).toEqual({
      id: once,
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      method: "jobs.submit",
      action: "generate-ad",
      submittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      request: paidJob,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      origin: server.url,
      why: "server_error",
      mayStillArrive: true,
      candidates: [listed[1], listed[2]],
    });
    expect(JSON.stringify(error)).not.toContain("Summer sale");
    expect(posts(server)).toBe(2);
  });

  it("is told of by the first error, which says what to do", async () => {
    const { jobs } = await startWith(failure(500));

    const error = await rejection(jobs.submit(paidJob, { once }));

    expect(error.message).toContain(
      "the job may exist and be charged: call again with the same id, which sends nothing",
    );
  });

  it("is nothing for findLostJobs, because the call of the error sent nothing", async () => {
    const { client, error } = await startWithDoubt();

    const refused = await rejection(findLostJobs(client, error));

    expect(refused).toMatchObject({ code: "invalid_request" });
    expect(refused.message).toContain("this call sent nothing (in_doubt)");
  });

  it("is told the same way in another process, and after its process has ended", async () => {
    const { server, store, jobs } = await startWith(silence, success({ jobs: listed }));
    const first = rejection(jobs.submit(paidJob, { once, timeoutMs: 1_000 }));
    await expect.poll(() => posts(server)).toBe(1);

    const error = await rejection(open(server, afterRestart(store)).jobs.submit(paidJob, { once }));

    expect(error).toMatchObject({ code: "in_doubt", doubt: { id: once, why: "process_ended" } });
    expect(error).toMatchObject({ doubt: { candidates: listed.slice(1) } });
    await first;
    expect(posts(server)).toBe(1);
  });

  it.each<[string, Answer]>([
    ["fails", failure(400)],
    ["hangs", silence],
  ])("is told in the call's time without candidates where the list %s", async (_, answer) => {
    const { jobs } = await startWith(failure(500), answer);
    await rejection(jobs.submit(paidJob, { once }));

    const { value: error, ms } = await timed(() =>
      rejection(jobs.submit(paidJob, { once, timeoutMs: 1_500 })),
    );

    expect(error).toMatchObject({ code: "in_doubt", doubt: { id: once } });
    expect(error).not.toHaveProperty("doubt.candidates");
    expect(ms).toBeLessThan(20_000);
  });

  it("has its job after { adopt: job }: the id gives that job", async () => {
    const { server, submissions, jobs, error, store } = await startWithDoubt();

    await submissions.decide(error.doubt, { adopt: "job_7" });

    const adopted = { job_id: "job_7", status: "queued" };
    expect(await jobs.submit(paidJob, { once })).toEqual(adopted);
    expect(await open(server, store).jobs.submit(paidJob, { once })).toEqual(adopted);
    expect(posts(server)).toBe(2);
    expect((await jobs.recover()).waiting.map(({ job_id }) => job_id)).toEqual(["job-6", "job_7"]);
  });

  it('is free after "resubmit": the id sends again', async () => {
    const { server, submissions, jobs, error } = await startWithDoubt(queued("job-10"));

    await submissions.decide(error.doubt, "resubmit");

    expect(await jobs.submit(paidJob, { once })).toMatchObject({ job_id: "job-10" });
    expect(posts(server)).toBe(3);
  });

  it('never sends again after "drop"', async () => {
    const { server, submissions, jobs, error, store } = await startWithDoubt();

    await submissions.decide(error.doubt, "drop");

    for (const { jobs: asked } of [{ jobs }, open(server, store)]) {
      const refused = await rejection(asked.submit(paidJob, { once }));
      expect(refused).toMatchObject({ ...unsent, code: "invalid_request" });
      expect(refused.message).toContain("was dropped by a decision");
    }
    expect(posts(server)).toBe(2);
  });

  it("takes a decision for its attempt alone", async () => {
    const { submissions, jobs, error } = await startWithDoubt(failure(500));
    await submissions.decide(error.doubt, "resubmit");
    await rejection(jobs.submit(paidJob, { once }));

    const refused = await rejection(submissions.decide(error.doubt, "drop"));

    expect(refused.message).toContain("not in doubt about this attempt any more");
    expect(await rejection(jobs.submit(paidJob, { once }))).toMatchObject({ code: "in_doubt" });
  });

  it("is settled where a broken success named its job, and gives that job", async () => {
    const broken = cut(202, '{"success":true,"data":{"job_id":"job-7",');
    const { server, jobs } = await startWith(broken);

    const error = await rejection(jobs.submit(paidJob, { once }));

    expect(error).toMatchObject({ outcome: "unknown", jobId: "job-7" });
    expect(await jobs.submit(paidJob, { once })).toEqual({ job_id: "job-7", status: "queued" });
    expect(posts(server)).toBe(1);
  });
});

describe("an id whose POST was surely not carried out", () => {
  it.each([400, 401, 402, 404, 429])(
    "is free after a %i, for a mended request too",
    async (status) => {
      const { server, jobs, store } = await startWith(failure(status), queued("job-7"));
      const mended = { ...paidJob, prompt: "Winter sale" };

      expect(await rejection(jobs.submit(paidJob, { once }))).toMatchObject({ outcome: "refused" });

      expect(await open(server, store).jobs.submit(mended, { once })).toMatchObject({
        job_id: "job-7",
      });
      expect(posts(server)).toBe(2);
      expect((await jobs.recover()).unknown).toEqual([]);
    },
  );

  it("is free when it never left this machine", async () => {
    const server = await listen(queued("job-7"));
    const store = createMemoryStore();
    const nowhere = open({ ...server, url: "http://127.0.0.1:9" }, store, { maxRetries: 0 });
    const error = await rejection(nowhere.jobs.submit(paidJob, { once }));
    expect(error).toMatchObject({ code: "connection", outcome: "not-sent" });

    expect(await open(server, store).jobs.submit(paidJob, { once })).toMatchObject({
      job_id: "job-7",
    });
  });
});
