/** Run by ../runners.test.ts in one process with first-of-two-suites.ts, whose options are the same. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { setupMockServer } from "../../../mocks/node/index.ts";

const baseUrl = "https://ads.invalid";
const hooks = { beforeAll: before, afterEach, afterAll: after };
const mock = setupMockServer({ baseUrl, hooks });

test("the second file's mock answers, and sees its requests", async () => {
  assert.equal((await fetch(`${baseUrl}/v1/jobs`)).status, 401);
  mock.service.journal.assertCount(1);
});
