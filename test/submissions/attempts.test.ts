// Decisions and ends belong to one attempt of an id. Each test stands for one way to pay twice.
import { expect, test } from "vitest";
import type { LateJob } from "../../src/submissions/submissions-options.ts";
import {
  answerOf,
  answers,
  failure,
  here,
  leaseMs,
  open,
  order,
  pass,
  play,
  refusal,
  refused,
  sent,
  there,
  useFixtures,
} from "./fixtures.ts";

useFixtures();

const lateArrivalMs = 75_000;

test("resubmit is refused for as long as the lost request may still be carried out", async () => {
  await here.lose(order);
  const decide = async (mayStillArrive: boolean) => {
    const [doubt] = (await there.list()).unknown;
    expect(doubt).toMatchObject({ mayStillArrive });
    // Even a caller that overwrites the flag cannot shorten the wait.
    return failure(there.decide({ ...doubt, mayStillArrive: false } as never, "resubmit"));
  };
  await pass(lateArrivalMs - 1_000);
  expect(await decide(true)).toMatchObject({
    code: "under_way",
    retryAfterMs: expect.closeTo(1_000, -2),
  });
  expect(await here.find("order-17")).toMatchObject({ state: "in-doubt" });
  await pass(1_000);
  expect(await decide(false)).toEqual({ resolved: undefined });
  expect(await here.submit(order, answers("job-2"))).toMatchObject({ jobId: "job-2" });
  expect(sent).toBe(2);
});

test("resubmit is refused by candidates that were listed while the job could still arrive", async () => {
  const doubt = await here.lose(order);
  expect(doubt.mayStillArrive).toBe(true);
  await pass(10 * lateArrivalMs);
  expect(await failure(there.decide(doubt, "resubmit"))).toMatchObject(refusal("out of date"));
  expect(await here.find("order-17")).toMatchObject({ state: "in-doubt" });
  const [fresh] = (await there.list()).unknown;
  expect(await failure(there.decide(fresh as never, "resubmit"))).toEqual({ resolved: undefined });
});

test("a decision about an earlier attempt changes nothing of a later attempt with the same id", async () => {
  await here.lose(order);
  await pass(lateArrivalMs);
  const [first] = (await here.list()).unknown;
  await here.decide(first as never, "resubmit");
  const second = await here.lose(order);
  expect(second.token).not.toBe(first?.token);
  await pass(lateArrivalMs);
  for (const decision of ["drop", { adopt: "job-1" }] as const) {
    const error = await failure(there.decide(first as never, decision));
    expect(error).toMatchObject(refusal("not in doubt about this attempt any more"));
  }
  await there.decide(first as never, "resubmit");
  expect(await here.find("order-17")).toMatchObject({
    state: "in-doubt",
    doubt: { token: second.token },
  });
});

test("the late end of an earlier attempt neither replaces nor frees a later attempt's record", async () => {
  for (const isRefused of [false, true]) {
    const late: LateJob[] = [];
    const slow = open({ onLateJob: (job) => late.push(job) });
    const call = { ...order, once: `order-${isRefused}` };
    const end = Promise.withResolvers<void>();
    const first = failure(
      slow.start(call, async (turn) => {
        await end.promise;
        return isRefused ? refused(turn) : { answer: answerOf("job-1"), jobId: "job-1" };
      }),
    );
    await pass(leaseMs + lateArrivalMs);
    const [doubt] = (await there.list()).unknown;
    await there.decide(doubt as never, "resubmit");
    const { token } = await there.lose(call);
    end.resolve();
    await play(first);
    expect(await here.find(call.once)).toMatchObject({ state: "in-doubt", doubt: { token } });
    expect(late).toEqual(isRefused ? [] : [{ id: call.once, jobId: "job-1" }]);
    const [last] = (await here.list()).unknown;
    await here.decide(last as never, "drop");
  }
});
