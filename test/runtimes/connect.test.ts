import { describe, expect, test } from "vitest";
import { startMockServer } from "../../mocks/server.ts";
import { isMissing, runChild, runtimes } from "./run-process.ts";

describe("a mock server is steered by connectMock in", () => {
  for (const runtime of runtimes) {
    test.skipIf(isMissing(runtime))(runtime, async () => {
      await using server = await startMockServer();
      expect(await runChild(runtime, "steer", server.url)).toEqual({
        endless: true,
        failure: "Error: Expected 1 request to /brands$/; saw nothing",
        credits: { image: { monthly: 2, purchased: 0 }, video: { monthly: 100, purchased: 0 } },
        removed: [true, false],
      });
      expect(server.service.accounts.map(({ key }) => key)).toEqual(["test-key"]);
    });
  }
});
