import { getResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { createHandlers } from "../../mocks/msw/index.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { createAsk, globalFetch } from "./ask.ts";

const service = createMockService();
const server = setupServer(...createHandlers(service));
const ask = createAsk(globalFetch);

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => {
  server.resetHandlers();
  service.reset();
});
afterAll(() => server.close());

describe("the MSW handlers", () => {
  test("createHandlers returns a handler for each endpoint, HEAD, files and OPTIONS, which work in any order", async () => {
    const handlers = createHandlers(service).map(({ info }) => `${info.method} ${info.path}`);
    const documented = Object.values(endpoints).map(({ method, path }) => `${method} *${path}`);
    const read = documented.filter((name) => name.startsWith("GET"));
    const file = "*/__mock/artwork/:job/:file";
    expect(handlers).toEqual([
      ...documented,
      ...read.map((name) => name.replace("GET", "HEAD")),
      ...[`GET ${file}`, `HEAD ${file}`, "OPTIONS */v1/*"],
    ]);
    server.resetHandlers(...createHandlers(service).reverse());
    const direct = createAsk(createMockService());
    for (const { method, path } of Object.values<Endpoint>(endpoints)) {
      const body = method === "POST" || method === "PATCH" ? {} : undefined;
      const call = [method, path.replace(":id", "unknown"), body] as const;
      const { status, text } = await direct(...call);
      expect(await ask(...call), path).toMatchObject({ status, text });
    }
  });

  test("server.use puts handlers of another service in front for one test", async () => {
    const broke = createMockService({ accounts: { "test-key": { credits: { image: {} } } } });
    server.use(...createHandlers(broke));
    expect((await ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(402);
    expect(service.account("test-key").ledger).toHaveLength(2);
  });
});

describe("a preflight, as happy-dom sends it,", () => {
  const asks = {
    origin: "https://shop.test",
    "access-control-request-method": "POST",
    "access-control-request-headers": "Authorization, x-trace",
  };
  const preflight = (url: string, headers: Record<string, string> = asks) =>
    getResponse(createHandlers(service), new Request(url, { method: "OPTIONS", headers }));

  test("the handlers answer a preflight of happy-dom without the service", async () => {
    const answer = await preflight("https://ads.test/v1/jobs");
    expect(answer?.status).toBe(204);
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
      "access-control-allow-origin": "https://shop.test",
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "authorization, content-type, x-trace",
    });
    expect(service.journal.entries).toEqual([]);
  });

  test("the service answers an OPTIONS request that is no preflight, if it is below /v1", async () => {
    const authorization = "Bearer test-key";
    const other = await preflight("https://ads.test/v1/jobs", { authorization });
    expect([other?.status, other?.headers.get("allow")]).toEqual([405, "POST, GET, HEAD"]);
    expect(await preflight("https://ads.test/health")).toBeUndefined();
  });
});

describe("the base URL of the handlers", () => {
  const status = async (url: string): Promise<number> =>
    (await createAsk(globalFetch, "test-key", "")("GET", url)).status;

  test.each([
    ["https://x.test/api/", "https://x.test"],
    ["http://localhost:4010", "http://localhost:4011"],
    ["https://x.test/a:b/*", "https://x.test/ac/d"],
    ["http://[fe80::a]:4010", "http://[fe80::b]:4010"],
  ])("handlers with the base URL %s don't answer %s", async (baseUrl, other) => {
    server.resetHandlers(...createHandlers(service, { baseUrl }));
    expect(await status(`${baseUrl.replace(/\/$/, "")}/v1/jobs`)).toBe(200);
    // MSW refuses it by `onUnhandledFrame`, so it doesn't reach the network.
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    await expect(status(`${other}/v1/jobs`)).rejects.toThrow(TypeError);
    expect(printed).toHaveBeenCalled();
    printed.mockRestore();
  });

  test("handlers take the base URL of their service, and refuse another one", async () => {
    const own = createMockService({ baseUrl: "https://x.test/api" });
    for (const options of [{}, { baseUrl: "https://x.test/api/" }]) {
      const [handler, ...others] = createHandlers(own, options);
      expect(handler?.info.path).toBe("https://x.test/api/v1/jobs");
      for (const { info } of others) expect(String(info.path)).toContain("https://x.test/api/");
    }
    expect(() => createHandlers(own, { baseUrl: "https://y.test" })).toThrow(
      "The service answers only https://x.test/api: handlers for https://y.test would never answer",
    );
    expect(() => createHandlers(own, { baseUrl: "y.test" })).toThrow("baseUrl must be");
    expect(() => createHandlers(own, { baseURL: "https://x.test" } as object)).toThrow(
      "The mock's handlers' options have no field \"baseURL\"; did you mean baseUrl?",
    );
  });
});
