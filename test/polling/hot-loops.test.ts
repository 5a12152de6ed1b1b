import { type PollOptions, pollJob, pollJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { page, success } from "./faulty-polls.ts";
import {
  createScriptedClient,
  offline,
  type Poll,
  refused,
  seen,
  useFakedTime,
} from "./scripted-client.ts";

useFakedTime();

const options: readonly PollOptions[] = [
  {},
  { maxIntervalMs: 0 },
  { intervalMs: 0 },
  { intervalMs: 0, maxIntervalMs: 0 },
  { intervalMs: 5, maxIntervalMs: 10 },
];

describe.each(options)("a wait with %j", (given) => {
  test.each<[string, Poll]>([
    ["a job that goes on", seen("processing")],
    ["a job that goes on with Retry-After: 0", seen("processing", 0)],
    ["an unknown status", seen("archived")],
    ["an unknown status with Retry-After: 0", seen("archived", 0)],
    ["a 503", refused(503)],
    ["a 503 with Retry-After: 0", refused(503, 0)],
    ["a 429 with Retry-After: 0", refused(429, 0)],
    ["a broken network", offline],
    ["a job that is not found", refused(404)],
    ["a 404 in HTML", page(404)],
    ["a 403 in HTML", page(403)],
    ["a 200 with HTML", page(200)],
    ["another job", success({ job_id: "other", status: "completed" })],
  ])("makes at most 10 polls a second, after the first 20: %s", async (_, poll) => {
    const { client, polls } = createScriptedClient([poll]);
    const waited = pollJob(client, "job_1", { ...given, timeoutMs: 15_000 }).catch(() => {});
    await vi.runAllTimersAsync();
    await waited;
    const later = polls.slice(20);
    const gaps = later.slice(1).map((at, index) => at - (later[index] as number));
    // One wait may be cut to the 10 s of a 404, and the last one to the deadline.
    expect(gaps.filter((gap) => gap < 99).length).toBeLessThanOrEqual(2);
    expect(polls.length).toBeLessThanOrEqual(20 + 10 * 15 + 1);
  });
});

test.each([
  [1, 22],
  [2, 44],
  // Lists, and a last poll of each job.
  [10, 25 + 10],
])("maxIntervalMs: 0 has %i waits make at most %i requests in 2 seconds", async (count, most) => {
  const ids = Array.from({ length: count }, (_, index) => `job_${index}`);
  const jobs = ids.map((job_id) => ({ job_id, status: "processing" }));
  const { client, polls } = createScriptedClient([
    (request) => {
      const isList = new URL(request.url).pathname === "/v1/jobs";
      return success(isList ? { jobs } : { status: "processing" })(request);
    },
  ]);
  const waited = pollJobs(client, ids, { maxIntervalMs: 0, timeoutMs: 2_000 });
  await vi.runAllTimersAsync();
  await waited;
  expect(polls.length).toBeLessThanOrEqual(most);
});

test("a page in place of the job, after it was seen, does not make a hot loop", async () => {
  const { client, polls } = createScriptedClient([seen("processing"), page(404)]);
  const waited = pollJob(client, "job_1").catch((error) => error);
  await vi.runAllTimersAsync();
  expect(await waited).toMatchObject({ code: "not_found" });
  expect(polls.length).toBeLessThan(12);
});
