/** Run by ../runners.test.ts: some of these fail, as they should. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { setupMockServer } from "../../../mocks/node.ts";

setupMockServer({ baseUrl: "https://ads.test", hooks: { beforeAll, afterEach, afterAll } });

test("fails for a call that nothing handles", async () => {
  const call = fetch(`${process.env["OTHER_URL"]}/collect`, { method: "POST" });
  await call.catch(() => "the code under test does not mind");
});

test("passes after it", async () => {
  expect((await fetch("https://ads.test/v1/jobs")).status).toBe(401);
});
