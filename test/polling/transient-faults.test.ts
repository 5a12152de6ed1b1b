import { type AnyAdGenError, pollJob } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";

const losses = lossesOf(200);
// A 429 that names no time would hold up the wait for a second.
const passing = refusals.filter(({ name, isRepeated }) => isRepeated && name !== "a 429");
const quick = [...losses.filter(({ isSlow }) => !isSlow), ...passing];
const slow = losses.filter(({ isSlow }) => isSlow);

/** Waits by these answers, and gives the failures that it was told of. */
const failuresOf = async (answers: readonly Answer[], timeoutMs = 30_000) => {
  const server = await listen(...answers, success({ status: "completed" }));
  const failed: AnyAdGenError[] = [];
  const finished = await pollJob(clientOf(server, { timeoutMs }), "job_1", {
    intervalMs: 1,
    maxIntervalMs: 2,
    onPollFailed: (error) => failed.push(error),
  });
  expect(finished).toEqual({ job_id: "job_1", status: "completed" });
  return { failed, polls: server.received.length };
};

describe.each([
  ["was never seen", []],
  ["was seen", [success({ status: "processing" })]],
])("a wait for a job that %s", (_, before) => {
  test("outlives every fault of the service and of the network, one after the other", async () => {
    const faults = quick.map(({ answer }) => answer);
    const { failed, polls } = await failuresOf([...before, ...faults]);
    const facts = ({ code, status }: { code: string; status?: number | undefined }) => [
      code,
      status,
    ];
    expect(failed.map(facts)).toEqual(quick.map(({ error }) => facts(error)));
    expect(polls).toBe(before.length + quick.length + 1);
  });

  test("outlives silence in every phase, for the client's time for one attempt", async () => {
    const startedAt = performance.now();
    const { failed } = await failuresOf([...before, ...slow.map(({ answer }) => answer)], 30);
    expect(failed.length).toBeGreaterThanOrEqual(slow.length);
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(["timeout"]));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(slow.length * 29);
  });
});
