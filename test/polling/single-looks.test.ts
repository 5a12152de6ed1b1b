import { NotFoundError } from "adgen-sdk";
import { expect, test, vi } from "vitest";
import { createSingleLooks } from "../../src/polling/scheduler/single-looks.ts";
import type { Gate, Wait } from "../../src/polling/wait.ts";

test.each([
  ["a job", async () => ({ job_id: "job_1", status: "processing" })],
  ["an error", () => Promise.reject(new NotFoundError("not_found", "gone"))],
])("a look whose end throws, after %s, ends its wait and gives its place back", async (_, get) => {
  const bug = new Error("a bug");
  const gate: Gate = { free: 1, line: new Set() };
  const end = vi.fn();
  const enterLine = createSingleLooks({
    reader: { get } as never,
    clock: { now: () => 0 } as never,
    blockedUntil: () => 0,
    plan: () => {},
    endLook: () => {
      throw bug;
    },
    end,
  });
  const wait = { gate, ref: "job_1", config: {}, deadlineAt: 1_000, place: "resting" };

  enterLine(wait as Wait);

  await vi.waitFor(() => expect(end).toHaveBeenCalledExactlyOnceWith(wait, bug));
  expect(gate.free).toBe(1);
});
