/** Run by ../runners.test.ts, under Node's own runner: one of these fails, as it should. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { setupMockServer } from "../../../mocks/node/index.ts";

setupMockServer({ hooks: { beforeAll: before, afterEach, afterAll: after } });

test("passes, and calls the service", async () => {
  assert.equal((await fetch("https://ads.test/v1/jobs")).status, 401);
});

test("fails for a call that nothing handles", async () => {
  await fetch("https://collect.test/events").catch(() => "the code under test does not mind");
});

test("passes after it", async () => {
  assert.equal((await fetch("https://ads.test/v1/jobs")).status, 401);
});
