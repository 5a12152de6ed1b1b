import { describe, expect, test } from "vitest";
import { startMockServer } from "../../mocks/server.ts";
import { isMissing, runChild, runtimes } from "./run-process.ts";

describe("a proxy keeps owners apart and counts each call once in", () => {
  for (const runtime of runtimes) {
    test.skipIf(isMissing(runtime))(runtime, async () => {
      await using server = await startMockServer({ timeline: { queuedMs: 0, processingMs: 0 } });
      expect(await runChild(runtime, "proxy", server.url)).toEqual({
        isRepeated: true,
        seconds: 5,
        tooMany: "payment_required",
        foreign: "not_found",
        listed: [2, 0],
        used: 2,
      });
      const charges = server.service.account("test-key").ledger;
      expect(charges.filter(({ reason }) => reason === "charge")).toHaveLength(2);
    });
  }
});
