import { describe, expect, it } from "vitest";
import { findLostJobs, isAdGenError } from "../../src/index.ts";
import { cut, failure, queued, silence, success } from "../helpers/answers.ts";
import { paidJob, rejection, timed } from "../helpers/client.ts";
import type { Answer } from "../helpers/http-server.ts";
import { afterRestart, once, open, posts, startWith, unsent } from "./paid-scene.ts";

const listed = [
  { job_id: "job-9", status: "queued", action: "video-a-2" },
  { job_id: "job-8", status: "queued", action: "generate-ad" },
  { job_id: "job-7", status: "queued" },
  { job_id: "job-6", status: "queued" },
];

/** A submission whose answer was lost, beside one whose job is known. */
const startWithDoubt = async () => {
  const started = await startWith(queued("job-6"), failure(500), success({ jobs: listed }));
  await started.jobs.submit(paidJob, { once: "order-16" });
  const lost = await rejection(started.jobs.submit(paidJob, { once }));
  const error = await rejection(started.jobs.submit(paidJob, { once }));
  if (!isAdGenError(error) || error.code !== "in_doubt") throw error;
  return { ...started, lost, error };
};

describe("an id in doubt", () => {
  it("is told with its doubt and with candidates, and nothing is sent", async () => {
    const { server, client, lost, error } = await startWithDoubt();

    expect(lost).toMatchObject({ code: "server_error", outcome: "unknown" });
    expect(lost.message).toContain(
      "the job may exist and be charged: call again with the same id, which sends nothing",
    );
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
    const refused = await rejection(findLostJobs(client, error));
    expect(refused).toMatchObject({ code: "invalid_request" });
    expect(refused.message).toContain("this call sent nothing (in_doubt)");
  });

  it("is told the same way in another process, after its own has ended", async () => {
    const { server, store, jobs } = await startWith(silence, success({ jobs: listed }));
    const first = rejection(jobs.submit(paidJob, { once, timeoutMs: 500 }));
    await expect.poll(() => posts(server)).toBe(1);

    const error = await rejection(open(server, afterRestart(store)).jobs.submit(paidJob, { once }));

    const doubt = { id: once, why: "process_ended", candidates: listed.slice(1) };
    expect(error).toMatchObject({ code: "in_doubt", doubt });
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
      rejection(jobs.submit(paidJob, { once, timeoutMs: 500 })),
    );

    expect(error).toMatchObject({ code: "in_doubt", doubt: { id: once } });
    expect(error).not.toHaveProperty("doubt.candidates");
    expect(ms).toBeLessThan(20_000);
  });

  it("has its job after { adopt: job }: the id gives that job, in any process", async () => {
    const { server, submissions, jobs, error, openNext } = await startWithDoubt();

    await submissions.decide(error.doubt, { adopt: "job_7" });

    for (const asked of [jobs, openNext().jobs]) {
      const adopted = { job_id: "job_7", status: "queued" };
      expect(await asked.submit(paidJob, { once })).toEqual(adopted);
    }
    expect(posts(server)).toBe(2);
    expect((await jobs.recover()).waiting.map(({ job_id }) => job_id)).toEqual(["job-6", "job_7"]);
  });

  it('never sends again after "drop", and takes no decision about another attempt', async () => {
    const { server, submissions, error, jobs, openNext } = await startWithDoubt();
    const other = { ...error.doubt, token: "0".repeat(32) };

    const stale = await rejection(submissions.decide(other, "drop"));
    await submissions.decide(error.doubt, "drop");

    expect(stale.message).toContain("not in doubt about this attempt any more");
    for (const asked of [jobs, openNext().jobs]) {
      const refused = await rejection(asked.submit(paidJob, { once }));
      expect(refused).toMatchObject({ ...unsent, code: "invalid_request" });
      expect(refused.message).toContain("was dropped by a decision");
    }
    expect(posts(server)).toBe(2);
  });
});

it("settles the id where a broken success named its job", async () => {
  const broken = cut(202, '{"success":true,"data":{"job_id":"job-7",');
  const { server, jobs } = await startWith(broken);

  const error = await rejection(jobs.submit(paidJob, { once }));

  expect(error).toMatchObject({ outcome: "unknown", jobId: "job-7" });
  expect(await jobs.submit(paidJob, { once })).toEqual({ job_id: "job-7", status: "queued" });
  expect(posts(server)).toBe(1);
});

it("frees the id of a POST that was surely not carried out, for a mended request too", async () => {
  const { server, jobs, openNext } = await startWith(failure(402), queued("job-7"));
  const nowhere = openNext({ baseUrl: "http://127.0.0.1:9", maxRetries: 0 }).jobs;

  const notSent = await rejection(nowhere.submit(paidJob, { once }));
  const refused = await rejection(jobs.submit(paidJob, { once }));
  const mended = await openNext().jobs.submit({ ...paidJob, prompt: "Winter" }, { once });

  expect(notSent).toMatchObject({ code: "connection", outcome: "not-sent" });
  expect(refused).toMatchObject({ code: "payment_required", outcome: "refused" });
  expect(mended).toMatchObject({ job_id: "job-7" });
  expect(posts(server)).toBe(2);
  expect((await jobs.recover()).unknown).toEqual([]);
});
