// Your own tests, each with a service, an account and a client of its own: they may run at once.
//
//   npx vitest run   in your project; here test/faces/fixture-example.test.ts runs it
import { pollJob } from "adgen-sdk";
import { mockFixtures } from "adgen-sdk/mocks/node";
import { test as base, describe, expect } from "vitest";

const credits = { image: { monthly: 5 } };
const test = base.extend(mockFixtures({ account: { credits } }));

describe("the ad editor", () => {
  test("makes an ad and pays for it", async ({ client, account }) => {
    const job = await client.jobs.submitAndPoll({ action: "generate-ad", variations: 2 });
    expect(job.status).toBe("completed");
    account.assertCharges([{ action: "generate-ad", amount: 2 }]);
  });

  test("hears that moderation has refused it", async ({ client, service }) => {
    service.jobs.next({ fail: "moderation" });
    const job = await client.jobs.submitAndPoll({ action: "generate-ad" });
    expect(job).toMatchObject({ status: "failed", error: "moderation" });
  });

  test("pays once, though the answer is lost", async ({ client, service, account }) => {
    service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    const submitting = client.jobs.submit({ action: "edit-ad" });
    await expect(submitting).rejects.toMatchObject({ code: "connection", outcome: "unknown" });
    service.journal.assertOne({ operation: "jobs.submit", action: "edit-ad" });
    account.assertCharges([{ action: "edit-ad", amount: 1 }]);
  });

  test("waits through an outage", async ({ client, service }) => {
    const { job_id } = await client.jobs.submit({ action: "copy-ad" });
    service.faults.play({ kind: "status", status: 503 }, { operation: "jobs.get", times: 2 });
    expect((await pollJob(client, job_id, { intervalMs: 1 })).status).toBe("completed");
  });
});
