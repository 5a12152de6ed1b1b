import { describe, expect, test } from "vitest";
import { couldCost } from "../../mocks/conformance/check/script.ts";
import { actions } from "../../src/contract/actions.ts";
import { runAt, straight, verdicts } from "./twisted-script.ts";

describe("a script that may not spend", () => {
  test("submits no job that could cost credits, and lists the skipped steps", async () => {
    const { service, outcomes } = await runAt(straight, { spend: false });
    expect(verdicts(outcomes)).toEqual([
      "skipped (costs credits)",
      expect.stringMatching(/^skipped \(there is no /),
      expect.stringMatching(/^skipped \(there is no /),
    ]);
    for (const { charges } of service.accounts) expect(charges).toEqual([]);
    for (const { exchanges } of outcomes) {
      for (const { question } of exchanges) expect(couldCost(question)).toBe(false);
    }
    expect(service.journal.find({ operation: "jobs.submit" }).length).toBeGreaterThan(30);
  });

  test("asks for nothing that costs even when a step forgets to say that it does", async () => {
    const { outcomes } = await runAt(straight);
    const step = outcomes.find(({ step: { name } }) => name === "takes generate-ad")?.step;
    if (!step) throw new Error("There is no such step");
    const { costs: _, ...forgetful } = step;
    const steps = [forgetful];
    const { service } = await runAt(straight, { spend: false, steps });
    expect(service.journal.entries).toEqual([]);
  });

  test.each(actions.filter((action) => action !== "generate-ad-copy"))(
    "knows that %s costs",
    (action) => {
      const body = JSON.stringify({ action });
      for (const text of [body, body.toUpperCase(), `{"type":" ${action} "`]) {
        expect(couldCost({ method: "POST", path: "/v1/jobs", headers: {}, body: text })).toBe(true);
      }
      expect(couldCost({ method: "POST", path: "/v1/brands", headers: {}, body })).toBe(false);
    },
  );

  test("knows that text is free", () => {
    const body = '{"action":"generate-ad-copy"}';
    expect(couldCost({ method: "POST", path: "/v1/jobs", headers: {}, body })).toBe(false);
  });
});
