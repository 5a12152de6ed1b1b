import { pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import {
  createScriptedClient,
  offline,
  type Poll,
  refused,
  seen,
  silent,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

const html: Poll = () => new Response("<h1>Be right back</h1>");

describe("an outage", () => {
  test.each<[string, Poll]>([
    ["of the network", offline],
    ["of the service", refused(503)],
    ["behind a proxy's page", html],
    ["in silence", silent],
  ])("%s for ten minutes does not end a wait", async (_, fault) => {
    const outageMs = 10 * 60_000;
    let during = 0;
    const poll: Poll = (request) => {
      const time = now();
      if (time === 0) return seen("queued")(request);
      if (time > outageMs) return seen("completed")(request);
      during++;
      return fault(request);
    };
    const { client, now } = createScriptedClient([poll]);
    const settled = watchPromise(pollJob(client, "job_1"), now);
    await vi.advanceTimersByTimeAsync(outageMs + 45_000);
    expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
    // One poll every 10 s, or every 40 s where each waits 30 s for an answer.
    expect(during).toBeGreaterThan(14);
    expect(during).toBeLessThan(70);
  });

  test("that lasts ends in PollTimeoutError after 31 minutes, with its cause", async () => {
    const { client, polls, now } = createScriptedClient([seen("processing"), offline]);
    const settled = watchPromise(pollJob(client, "job_1"), now);
    await vi.advanceTimersByTimeAsync(40 * 60_000);
    expect(settled.at).toBe(31 * 60_000);
    expect(polls.at(-1)).toBe(31 * 60_000);
    expect(settled.error).toMatchObject({
      name: "PollTimeoutError",
      code: "poll_timeout",
      message: expect.stringMatching(
        /^job "job_1" did not finish within 1860000 ms \(last status "processing"; last failure: GET \/v1\/jobs\/job_1 got no answer: .*\)$/,
      ),
      jobId: "job_1",
      lastJob: { job_id: "job_1", status: "processing" },
      elapsedMs: 31 * 60_000,
      attempts: polls.length,
      cause: { name: "ConnectionError", code: "connection" },
    });
  });
});
