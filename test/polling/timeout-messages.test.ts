import { pollJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { page } from "./faulty-polls.ts";
import {
  createScriptedClient,
  offline,
  type Poll,
  play,
  refused,
  seen,
  silent,
  useFakedTime,
} from "./scripted-client.ts";

useFakedTime();

const giveUp = async (script: readonly Poll[]) => {
  const { settled } = await play(script, { timeoutMs: 1_200 });
  expect(settled.error).toMatchObject({ name: "PollTimeoutError", code: "poll_timeout" });
  return settled.error;
};

describe("the message of a wait that gives up", () => {
  test.each<[string, readonly Poll[], string]>([
    ["the last status", [seen("queued"), seen("processing")], '(last status "processing")'],
    [
      "the last status, and the last failure",
      [seen("queued"), refused(503)],
      '(last status "queued"; last failure: GET /v1/jobs/job_1 answered 503: says 503)',
    ],
    [
      "that the job was never seen, and a network's failure",
      [offline],
      "(it was never seen; last failure: GET /v1/jobs/job_1 got no answer: " +
        "fetch failed without a reason (a 407 ends so))",
    ],
    [
      "that the job was never seen, and a stray page",
      [page(200)],
      "(it was never seen; last failure: GET /v1/jobs/job_1 answered 200 with text/html, " +
        "not JSON (check baseUrl: ads.test))",
    ],
    [
      "that the service was silent",
      [silent],
      "(it was never seen; last failure: GET /v1/jobs/job_1 timed out after 500 ms " +
        "(totalTimeoutMs))",
    ],
    [
      "an unknown status without its words",
      [seen("archived\n\u001b[31mFATAL")],
      "(its last status is not one that this version knows: see lastJob.status)",
    ],
  ])("tells %s", async (_, script, details) => {
    const error = await giveUp(script);
    expect(error.message).toBe(`job "job_1" did not finish within 1200 ms ${details}`);
    expect(error.outcome).toBeUndefined();
  });

  test("does not speak of a failure that passed", async () => {
    const error = await giveUp([refused(503), seen("processing")]);
    expect(error.message).toBe(
      'job "job_1" did not finish within 1200 ms (last status "processing")',
    );
    expect(error.cause).toBeUndefined();
  });

  test("quotes a long id in part, and the whole stays short", async () => {
    const { client } = createScriptedClient([refused(500)]);
    const waited = pollJob(client, "j".repeat(256), { timeoutMs: 0 });
    const error = await waited.catch((thrown) => thrown);
    expect(error.message).toMatch(/^job "j{49}…" did not finish/);
    expect(error.message.length).toBeLessThan(1_000);
    expect(error.jobId).toHaveLength(256);
  });

  test("keeps the status in lastJob", async () => {
    const error = await giveUp([seen("archived")]);
    expect(error.lastJob).toEqual({ job_id: "job_1", status: "archived" });
    expect(JSON.stringify(error)).not.toContain("archived");
  });
});
