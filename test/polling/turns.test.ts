import { type Job, pollJob } from "adgen-sdk";
import { expect, test } from "vitest";

test("a reader of one's own that throws gives its turn back, to the last one", async () => {
  const bug = new Error("the reader is broken");
  let isBroken = true;
  const jobs = {
    get: async (): Promise<Job> => {
      if (isBroken) throw bug;
      return { job_id: "job_1", status: "completed", result: null };
    },
  };
  // As many as may poll at once, and more.
  for (let wait = 0; wait < 20; wait++) {
    await expect(pollJob({ jobs }, "job_1")).rejects.toBe(bug);
  }
  isBroken = false;
  expect(await pollJob({ jobs }, "job_1")).toMatchObject({ status: "completed" });
});
