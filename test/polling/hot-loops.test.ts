import { pollJobs } from "adgen-sdk";
import { expect, test, vi } from "vitest";
import { createScriptedClient, success, useFakedTime } from "./scripted-client.ts";

useFakedTime();

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
