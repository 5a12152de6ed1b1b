import { describe, expect, test } from "vitest";
import { runScript } from "../../mocks/conformance/check/script.ts";
import { askBy } from "../../mocks/conformance/exchange.ts";
import { createScriptedService, scriptOptions } from "./mock-world.ts";
import { runAt, straight, verdictOf } from "./twisted-script.ts";

describe("the script deletes its brands and ads", () => {
  const isEmpty = ({ accounts }: ReturnType<typeof createScriptedService>): boolean =>
    accounts.every(({ brands, savedAds }) => brands.length + savedAds.length === 0);

  const upTo = async (name: string) => {
    const { outcomes } = await runAt(straight);
    const steps = outcomes.map(({ step }) => step);
    return steps.slice(0, steps.findIndex((step) => step.name === name) + 1);
  };

  test.each(["creates a brand", "saves another", "deletes an ad"])(
    'when it ends after "%s"',
    async (name) => {
      const { service, left } = await runAt(straight, { steps: await upTo(name) });
      expect(
        service.journal.find({ operation: "brands.create", status: 201 }).length,
      ).toBeGreaterThan(0);
      expect(isEmpty(service)).toBe(true);
      expect(left).toEqual([]);
    },
  );

  test("when it is stopped in the middle", async () => {
    const stop = new AbortController();
    const { service, outcomes } = await runAt(straight, {
      signal: stop.signal,
      onOutcome: ({ step }) => {
        if (step.name === "saves an ad") stop.abort();
      },
    });
    expect(isEmpty(service)).toBe(true);
    expect(verdictOf(outcomes, "saves an ad")).toBe("ok");
    expect(verdictOf(outcomes, "saves another")).toBe("skipped (stopped)");
  });

  test("when the answer to its creation got lost", async () => {
    const { service, outcomes } = await runAt(({ method, path }) => {
      if (method === "POST" && path === "/v1/brands") throw new Error("reset");
      return {};
    });
    expect(verdictOf(outcomes, "creates a brand")).toBe("not answered (no answer: reset)");
    expect(verdictOf(outcomes, "updates a brand")).toBe("skipped (no answer to three requests)");
    expect(service.journal.find({ operation: "brands.create", status: 201 })).toHaveLength(3);
    expect(isEmpty(service)).toBe(true);
  });

  test("when a service creates what the mock refuses", async () => {
    const service = createScriptedService();
    const askService = askBy(service.fetch, "https://ads.test");
    const { left, outcomes } = await runScript(async (question) => {
      if (question.method !== "POST" || question.path !== "/v1/brands") return askService(question);
      const body = JSON.stringify({ name: "Conformance, whatever was sent" });
      return askService({ ...question, body });
    }, scriptOptions);
    expect(verdictOf(outcomes, "creates no brand without a name")).toMatch(/^differs/);
    expect(isEmpty(service)).toBe(true);
    expect(left).toEqual([]);
  });

  test("and names those that it cannot delete", async () => {
    const { left } = await runAt(({ method }) => (method === "DELETE" ? { status: 500 } : {}), {
      steps: await upTo("creates a brand"),
    });
    expect(left).toEqual([expect.stringMatching(/^\/v1\/brands\/brand_/)]);
  });
});
