import type { DriftEvent } from "adgen-sdk";
import { beforeEach, describe, expect, test } from "vitest";
import { type Poll, play, seen, useFakedTime } from "./scripted-client.ts";

useFakedTime();

const drifts: DriftEvent[] = [];
const hooks = { onDrift: (event: DriftEvent) => drifts.push(event) };
beforeEach(() => void drifts.splice(0));

describe("an unknown status", () => {
  test.each(["paused", "success", "COMPLETED", "completed ", "cancelled", "", "constructor"])(
    "%j is never success, and ends in PollTimeoutError",
    async (status) => {
      const { polls, settled } = await play([seen(status)], { timeoutMs: 5_000 }, { hooks });
      expect(polls).toEqual([0, 1_000, 2_500, 4_750, 5_000]);
      expect(settled).toMatchObject({
        at: 5_000,
        error: {
          name: "PollTimeoutError",
          code: "poll_timeout",
          jobId: "job_1",
          lastJob: { job_id: "job_1", status },
        },
      });
    },
  );

  test.each([null, 4, true, ["completed"], { is: "completed" }])(
    "that is no text, as %j, makes no sense at all",
    async (status) => {
      const poll: Poll = () => Response.json({ success: true, data: { status }, error: null });
      const { settled } = await play([poll], { timeoutMs: 0 }, { hooks });
      expect(settled.error).toMatchObject({ code: "poll_timeout", cause: { code: "decode" } });
      expect(settled.error.lastJob).toBeUndefined();
    },
  );

  test("is reported at every poll", async () => {
    await play([seen("paused"), seen("queued"), seen("done"), seen("completed")], {}, { hooks });
    expect(drifts).toEqual(
      ["paused", "done"].map((status) => ({
        method: "GET",
        path: "/v1/jobs/job_1",
        message: `job status ${status}`,
      })),
    );
  });

  test("is reported in few words", async () => {
    await play([seen("x".repeat(10_000))], { timeoutMs: 0 }, { hooks });
    expect(drifts[0]?.message.length).toBeLessThan(100);
  });

  test("is shown to onUpdate, and may pass", async () => {
    const statuses: string[] = [];
    const onUpdate = ({ status }: { status: string }) => statuses.push(status);
    const { settled } = await play([seen("paused"), seen("completed")], { onUpdate }, { hooks });
    expect(statuses).toEqual(["paused", "completed"]);
    expect(settled.value).toMatchObject({ status: "completed" });
  });

  test("is not asked after in a hot loop, whatever Retry-After says", async () => {
    const { polls } = await play([seen("paused", 0)], { timeoutMs: 20_000 }, { hooks });
    expect(polls).toEqual([0, 1_000, 2_500, 4_750, 8_125, 13_188, 20_000]);
  });

  test("has a longer Retry-After heeded, as long as it fits before the deadline", async () => {
    const { polls } = await play([seen("paused", 8)], { timeoutMs: 20_000 }, { hooks });
    expect(polls).toEqual([0, 8_000, 16_000, 18_250, 20_000]);
  });
});
