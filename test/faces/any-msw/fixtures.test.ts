// With each MSW that the package accepts: see the project "msw2" in vitest.config.ts.
import { test as base, describe, expect } from "vitest";
import { mockFixtures } from "../../../mocks/node.ts";

const test = base.extend(mockFixtures({ account: { credits: { image: { monthly: 3 } } } }));

describe("the fixtures", () => {
  test("give each test a service of its own", async ({ client, account }) => {
    await client.jobs.submit({ action: "generate-ad", variations: 2 });
    account.assertCharges([{ amount: 2 }]);
  });

  test("play faults", async ({ client, service, account }) => {
    service.faults.play({ kind: "reset", accepted: true });
    const cut = client.jobs.submit({ action: "copy-ad" });
    await expect(cut).rejects.toMatchObject({ code: "connection", outcome: "unknown" });
    account.assertCharges([{ amount: 1 }]);
    service.faults.play({ kind: "refuse" });
    expect(await client.jobs.submit({ action: "copy-ad" })).toMatchObject({ status: "queued" });
  });
});
