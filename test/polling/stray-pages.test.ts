import { describe, expect, test } from "vitest";
import { cutOff, page } from "./faulty-polls.ts";
import { play, refused, seen, useFakedTime } from "./scripted-client.ts";

useFakedTime();

const kong = '{"message":"no Route matched with those values"}';

describe.each([400, 401, 402, 403, 404, 410])("a stray page with status %i", (status) => {
  test.each([
    ["in HTML", page(status)],
    ["in a proxy's JSON", page(status, kong, "application/json")],
    ["without a body", page(status, "", "")],
  ])("%s is waited out once the job was seen", async (_, poll) => {
    const { polls, failed, settled } = await play([seen("processing"), poll, seen("completed")]);
    expect(polls).toEqual([0, 1_000, 2_500]);
    expect(settled.value).toEqual({ job_id: "job_1", status: "completed" });
    expect(failed).toMatchObject([{ status, contentType: expect.any(String), jobId: "job_1" }]);
  });

  test("is waited out at the first poll too", async () => {
    const { settled } = await play([page(status), seen("processing"), seen("completed")]);
    expect(settled.value).toMatchObject({ status: "completed" });
  });

  test("ends the wait when it lasts 30 s, and says that it is no answer of the service", async () => {
    const { polls, settled } = await play([seen("processing"), page(status)]);
    expect(settled.at).toBeGreaterThanOrEqual(31_000);
    expect(settled.at).toBeLessThanOrEqual(41_000);
    expect(settled.error).toMatchObject({
      status,
      contentType: "text/html",
      jobId: "job_1",
      lastJob: { job_id: "job_1", status: "processing" },
      message:
        `GET /v1/jobs/job_1 answered ${status} with text/html, not in the service's form ` +
        "(check baseUrl: ads.test)",
    });
    // One each 10 s at the end, as in any other outage.
    expect(polls.length).toBeLessThan(12);
  });

  test("ends the wait when it lasts 30 s, also where the job was never seen", async () => {
    const { polls, settled } = await play([page(status)]);
    expect(settled.at).toBeGreaterThanOrEqual(30_000);
    expect(settled.at).toBeLessThanOrEqual(41_000);
    expect(settled.error).toMatchObject({ status, contentType: "text/html", jobId: "job_1" });
    expect(polls.length).toBeLessThan(12);
  });

  test("does not end the wait while polls between show the job", async () => {
    const script = Array.from({ length: 100 }, (_, at) => (at % 3 ? page(status) : seen("queued")));
    const { polls, settled } = await play([...script, seen("failed")]);
    expect(polls).toHaveLength(101);
    expect(settled.value).toMatchObject({ status: "failed" });
  });
});

describe.each([400, 401, 402, 403, 410])("a %i in the service's envelope", (status) => {
  test("ends the wait at once after pages of a stranger", async () => {
    const { polls, failed, settled } = await play([page(status), page(status), refused(status)]);
    expect(polls).toEqual([0, 1_000, 2_500]);
    expect(settled.error).toMatchObject({ status, jobId: "job_1" });
    expect(settled.error.contentType).toBeUndefined();
    // The one that ends the wait is thrown.
    expect(failed).toHaveLength(2);
  });
});

test("a body that is cut off again and again is waited out like a broken network", async () => {
  const { settled, polls } = await play([cutOff], { timeoutMs: 120_000 });
  expect(settled.at).toBe(120_000);
  expect(settled.error).toMatchObject({
    name: "PollTimeoutError",
    cause: { name: "ConnectionError", status: 200 },
  });
  expect(polls.length).toBeGreaterThan(10);
});
