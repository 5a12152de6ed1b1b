import { expect, test } from "vitest";
import { minute, setUp } from "./set-up.ts";

const month = 31 * 24 * 60 * minute;

test("a submission finds the credits of the new month, though nobody has asked since", async () => {
  const { post, submit, clock } = setUp({
    accounts: { "test-key": { credits: { image: { monthly: 1 } } } },
  });
  await submit();
  expect((await post({})).status).toBe(402);
  clock.advance(month);
  expect((await post({})).status).toBe(202);
});

test("a submission that is refused takes no planned outcome", async () => {
  const { post, jobs, submit, finish } = setUp();
  jobs.next({ fail: "moderation" });
  expect((await post({ variations: 11 })).status).toBe(400);
  expect((await post({ action: "video-b-3-0", duration: 60 })).status).toBe(402);
  expect(jobs.scheduled).toMatchObject([{ taken: 0, remaining: 1 }]);
  expect(await finish(await submit())).toMatchObject({ status: "failed", error: "moderation" });
});

test.each([
  [{ monthly: 1, purchased: 2 }, 4, "it costs 4 image credits, and 3 are left"],
  [{ monthly: 1 }, 2, "it costs 2 image credits, and 1 is left"],
  [{}, 1, "it costs 1 image credit, and 0 are left"],
])(
  "a 402 says in the log what the job costs, and what is left in both pots: %j",
  async (image, variations, hint) => {
    const { post, journal } = setUp({ accounts: { "test-key": { credits: { image } } } });
    await post({ variations });
    expect(journal.entries[0]?.hint).toBe(hint);
  },
);

test.each([20, -5, 90])(
  "a duration of %i has no meaning for a job without a video",
  async (duration) => {
    const { submit, jobs, account } = setUp();
    const id = await submit({ duration });
    expect(jobs.inspect(id)?.request).toEqual({ action: "generate-ad", duration });
    account.assertCharges([{ credit: "image", amount: 1 }]);
  },
);
