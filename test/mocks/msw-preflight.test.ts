import { getResponse } from "msw";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createHandlers } from "../../mocks/msw.ts";
import { startMockServer } from "../../mocks/server.ts";

const handlers = createHandlers(createMockService());
const asks = {
  origin: "https://shop.test",
  "access-control-request-method": "POST",
  "access-control-request-headers": "Authorization, x-trace",
};

const preflight = (url: string, headers: Record<string, string> = asks) =>
  getResponse(handlers, new Request(url, { method: "OPTIONS", headers }));

describe("a preflight, as happy-dom sends it,", () => {
  let server: Awaited<ReturnType<typeof startMockServer>>;
  beforeAll(async () => {
    server = await startMockServer();
  });
  afterAll(async () => {
    await server.close();
  });

  test.each(["/v1/jobs", "/v1/jobs/job_1", "/v1/brands", "/v1/brands/b/ads", "/v1/saved-ads/a"])(
    "is answered for %s by the handlers as by the server",
    async (path) => {
      const ours = await preflight(`https://ads.test${path}`);
      const init = { method: "OPTIONS", headers: asks };
      const theirs = await fetch(server.url + path, init);
      expect([ours?.status, theirs.status]).toEqual([204, 204]);
      const words = Object.fromEntries(ours?.headers ?? []);
      expect(words).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "authorization, content-type, x-trace",
      });
      expect(Object.fromEntries(theirs.headers)).toMatchObject(words);
    },
  );

  test("changes nothing in the service", async () => {
    const service = createMockService();
    const request = new Request("https://ads.test/v1/jobs", { method: "OPTIONS", headers: asks });
    await getResponse(createHandlers(service), request);
    expect(service.journal.entries).toEqual([]);
  });
});

test("an OPTIONS request of another kind stays unhandled", async () => {
  expect(await preflight("https://ads.test/v1/jobs", {})).toBeUndefined();
  expect(await preflight("https://ads.test/health")).toBeUndefined();
});
