import { expect, test, vi } from "vitest";
import type { Job } from "../../src/contract/jobs.ts";
import { makeError } from "../../src/errors/make-error.ts";
import {
  answers,
  ends,
  failure,
  full,
  here,
  leaseMs,
  order,
  order18,
  paid,
  pass,
  silent,
  store,
  there,
  useStories,
} from "./story.ts";

useStories();

const listOf = (...ids: string[]): Job[] => ids.map((id) => ({ job_id: id, status: "queued" }));

/** The jobs of a service. */
const jobsOf = (...items: readonly Job[]) => ({
  list: vi.fn(async () => ({ items: [...items], meta: {} })),
  get: async (id: string): Promise<Job> => {
    const found = items.find(({ job_id: jobId }) => jobId === id);
    if (found === undefined) throw makeError("not_found", "no such job");
    return found;
  },
});

test("gives what is open, and candidates that no record owns", async () => {
  await here.submit(paid, answers("job-1"));
  await here.submit({ ...paid, once: "a" }, answers("job-2"));
  await here.acknowledge("job-2");
  const doubt = await here.lose(order);
  void there.start({ ...order, once: "b" }, silent);
  await pass(10);
  // The service may show no action, or one in words of its own: only a known one of another kind is none.
  const shown = [undefined, null, 7, "", "generateAdCopy", "generate-ad", "video-a-2"];
  const others = shown.map(
    (action, index) => ({ job_id: `shown-${index}`, status: "queued", action }) as Job,
  );
  const jobs = jobsOf(...listOf("job-5", "job-2", "job-1"), ...others);
  const first = await here.recover({ candidateLimit: 50 }, jobs);
  expect(jobs.list).toHaveBeenCalledWith({ limit: 50 }, { signal: undefined });
  expect(first).toEqual({
    waiting: [expect.objectContaining({ job_id: "job-1", request: paid.body })],
    unknown: [
      {
        ...doubt,
        mayStillArrive: true,
        candidates: [...listOf("job-5"), ...others.slice(0, -1)],
      },
    ],
    underWay: [expect.objectContaining({ id: "b", leftMs: expect.any(Number) })],
    damaged: [],
  });
  await pass(75_000);
  const second = await here.recover(undefined, jobs);
  expect(second.unknown).toMatchObject([
    { id: "order-17", mayStillArrive: false },
    { id: "b", mayStillArrive: true, why: "process_ended" },
  ]);
  expect(second.underWay).toEqual([]);
});

test("asks for no jobs where nothing is in doubt", async () => {
  await here.submit(paid, answers("job-1"));
  const jobs = jobsOf();
  await here.recover({}, jobs);
  expect(jobs.list).not.toHaveBeenCalled();
});

test("gives the job that a broken answer named as the only candidate", async () => {
  const error = makeError("server_error", "500");
  await failure(here.submit(order, ends({ verdict: "doubt", error, jobId: "job-1" })));
  for (const [ids, candidates] of [
    [["job-2", "job-1"], listOf("job-1")],
    [["job-2"], []],
  ] as const) {
    const { unknown } = await here.recover({}, jobsOf(...listOf(...ids)));
    expect(unknown.map((one) => [one.jobId, one.candidates])).toEqual([["job-1", candidates]]);
  }
});

test("tells the doubts without candidates where the service does not answer", async () => {
  await here.lose(order);
  for (const code of ["server_error", "aborted"] as const) {
    const error = makeError(code, "not now");
    const work = here.recover({}, { ...jobsOf(), list: () => Promise.reject(error) });
    if (code === "aborted") expect(await failure(work)).toBe(error);
    else {
      expect(await work).toMatchObject({ candidatesError: error, unknown: [{ id: "order-17" }] });
      expect((await work).unknown[0]).not.toHaveProperty("candidates");
    }
  }
});

test("gives no candidates of one service to the submissions of another", async () => {
  await here.lose({ ...order, origin: "https://staging.test" });
  await here.submit(order18, answers("job-1"));
  const jobs = { ...jobsOf(...listOf("job-2")), origin: "https://ads.test" };
  const told = await here.recover({}, jobs);
  expect(told).toMatchObject({
    candidatesError: { code: "config", message: expect.stringContaining("https://staging.test") },
    unknown: [{ id: "order-17" }],
    waiting: [{ id: "order-18" }],
  });
  expect(told.unknown[0]).not.toHaveProperty("candidates");
  expect(jobs.list).not.toHaveBeenCalled();
});

test("tells no lost submission before the store has it as such", async () => {
  void there.start(order, silent);
  await pass(10);
  here.store.swap = full;
  await here.list();
  await pass(leaseMs);
  expect(await failure(here.list())).toMatchObject({ code: "store" });
});

test("shows records that it cannot read", async () => {
  await store.swap("once:order-17", "", { rev: "1", text: "{}", list: "open" });
  expect((await here.list()).damaged).toEqual([{ id: "order-17", text: "{}" }]);
  expect(await failure(here.submit(order, silent))).toMatchObject({
    code: "store",
    outcome: "unknown",
    message: expect.stringContaining("damaged"),
  });
});
