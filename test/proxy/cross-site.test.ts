import { expect, test } from "vitest";
import { type Asked, failureOf, openProxy } from "./proxy-under-test.ts";

const submission: Asked = { method: "POST", body: { action: "generate-ad" } };

test.each([
  ["the app's own page", { "sec-fetch-site": "same-origin" }, 200, 202],
  ["a program, or an old browser", {}, 200, 202],
  ["the address bar", { "sec-fetch-site": "none" }, 200, 403],
  ["a sister domain", { "sec-fetch-site": "same-site" }, 403, 403],
  ["another site", { "sec-fetch-site": "cross-site" }, 403, 403],
  ["another site by an old browser", { "content-type": "text/plain" }, 200, 415],
])("a request of %s reads with %j, status %i, and submits with status %i", async (_, headers, read, write) => {
  const { ask, service } = await openProxy();
  expect((await ask("ann", { headers })).status).toBe(read);
  expect((await ask("ann", { ...submission, headers })).status).toBe(write);
  expect(service.sent("POST")).toHaveLength(write === 202 ? 1 : 0);
});

test("CORS gives a page of another origin no permission", async () => {
  const { ask } = await openProxy();
  const { status, headers } = await ask("", { method: "OPTIONS" });
  expect(status).toBe(405);
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  const other = await ask("ann", { ...submission, headers: { "sec-fetch-site": "cross-site" } });
  expect(failureOf(other)).toMatchObject({ outcome: "refused" });
});
