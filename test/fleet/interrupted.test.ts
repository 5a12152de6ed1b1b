import { expect, test, vi } from "vitest";
import { reset, success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { copyJob, type Fleet, until, useFleets } from "./fleet.ts";

const openFleet = useFleets();

/** A fleet with a submission that is held, and that the service has not carried out. */
const openHeld = async () => {
  const fleet = await openFleet();
  fleet.server.service.faults.play(
    { kind: "reset", accepted: false },
    { operation: "jobs.submit" },
  );
  fleet.startWorker();
  await fleet.queue.add("a", copyJob);
  await until(async () => expect(await fleet.queue.submissions.getFailedCount()).toBe(1));
  return fleet;
};

/** Makes a decision in a process that dies once the decision is on record. */
const decideAndDie = async ({ openQueue }: Fleet): Promise<void> => {
  const queue = openQueue();
  vi.spyOn(queue.submissions, "getJob").mockRejectedValue(new Error("it died"));
  await rejection(queue.decide("a", "resubmit"));
};

test("a decision whose process died is made again", async () => {
  const fleet = await openHeld();
  const { queue, posts } = fleet;
  await decideAndDie(fleet);
  expect(await queue.get("a")).toMatchObject({ state: "waiting" });

  await queue.decide("a", "resubmit");

  expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  expect(posts()).toBe(2);
});

test("another decision than the one on record is refused", async () => {
  const fleet = await openHeld();
  await decideAndDie(fleet);

  const error = await rejection(fleet.queue.decide("a", "drop"));

  expect(error).toMatchObject({ code: "invalid_request" });
});

test("the same decision by several processes at once is one", async () => {
  const { queue, openQueue, posts } = await openHeld();
  const deciding = [queue, openQueue(), openQueue(), openQueue()];

  await Promise.all(deciding.map((one) => one.decide("a", "resubmit")));
  await vi.waitFor(() => expect(posts()).toBe(2));
  // One that comes late decides nothing any more.
  await openQueue().decide("a", "resubmit");

  expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  expect(posts()).toBe(2);
});

test("a wait whose BullMQ job was removed is named, and goes on when it is added again", async () => {
  const { queue, startWorker, posts } = await openFleet();
  startWorker();
  await queue.add("a", copyJob);
  await queue.waitForResult("a");
  await (await queue.looks.getJob("a"))?.remove();

  const error = await rejection(queue.waitForResult("a"));
  const state = await queue.get("a");
  await queue.add("a", copyJob);

  expect(error).toMatchObject({ code: "config" });
  expect(error.message).toContain("was removed: add the same again");
  expect(state).toMatchObject({ state: "given-up" });
  expect(await queue.waitForResult("a")).toMatchObject({ status: "completed" });
  expect(posts()).toBe(1);
});

test("candidates are found in a list of more jobs than a script's stack can hold", async () => {
  const jobs = Array.from({ length: 9_000 }, (_, index) => ({
    job_id: `job-${index}`,
    status: "queued",
  }));
  const server = await listen((response, request) =>
    (request.method === "POST" ? reset : success({ jobs }))(response, request),
  );
  const { queue, startWorker } = await openFleet();
  startWorker({ client: clientOf(server), candidateLimit: 9_000 });
  await queue.add("a", copyJob);

  await until(async () => expect(await queue.get("a")).toMatchObject({ state: "held" }));

  expect((await queue.listHeld())[0]?.candidates).toHaveLength(100);
});
