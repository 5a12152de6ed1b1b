// With each MSW that the package accepts: see the project "msw2" in vitest.config.ts.
import { get } from "node:http";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createMockService } from "../../../mocks/index.ts";
import { createHandlers } from "../../../mocks/msw.ts";
import { setupMockServer } from "../../../mocks/node.ts";
import { listen as listenOn } from "../../helpers/http-server.ts";
import { createAsk, globalFetch } from "../../mocks/ask.ts";

const ask = createAsk(globalFetch);

describe("setupMockServer", () => {
  const mock = setupMockServer({ hooks: { beforeAll, afterEach, afterAll } });
  mock.allowNetwork();
  const { service } = mock;

  test("answers and charges", async () => {
    const { status, data } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
    expect(status).toBe(202);
    expect(service.account("test-key").charges).toMatchObject([{ jobId: data.job_id, amount: 1 }]);
  });

  test("begins anew after each test", () => {
    expect(service.account("test-key").charges).toEqual([]);
  });

  test("refuses requests to others: fetch, node:http and WebSocket", async () => {
    const other = await listenOn((response) => response.end("{}"));
    await expect(fetch(`${other.url}/collect`)).rejects.toThrow();
    const error = await new Promise((resolve) => get(other.url).on("error", resolve));
    expect(error).toMatchObject({ code: "ERR_MOCK_UNHANDLED" });
    const socket = new WebSocket(other.url.replace("http", "ws"));
    await new Promise((resolve) => socket.addEventListener("error", resolve));
    expect(other.received).toEqual([]);
    expect(mock.reset).toThrow(
      [
        "Nothing handles these requests, so the mock refused them:",
        `  GET ${other.url}/collect`,
        `  GET ${other.url}/`,
        `  ws ${other.url.replace("http", "ws")}/`,
      ].join("\n"),
    );
  });

  test("refuses a path that the service does not have", async () => {
    await expect(fetch("https://ads.test/v1/nothing")).rejects.toThrow();
    expect(mock.reset).toThrow("GET https://ads.test/v1/nothing");
  });

  test("answers by a test's own handlers", async () => {
    mock.server.use(http.get("*/v1/jobs", () => HttpResponse.json({ data: "mine" })));
    expect((await ask("GET", "/v1/jobs")).data).toBe("mine");
  });

  test.each(["reset", "refuse", "cut-body"] as const)("plays a fault: %s", async (kind) => {
    service.faults.play({ kind });
    await expect(ask("GET", "/v1/jobs")).rejects.toThrow();
    expect((await ask("GET", "/v1/jobs")).status).toBe(200);
  });

  test("ends a stalled request between tests", async () => {
    service.faults.play({ kind: "stall" });
    const stalled = ask("GET", "/v1/jobs");
    stalled.catch(() => {});
    while (service.journal.entries.length === 0) await new Promise(setImmediate);
    mock.reset();
    await expect(stalled).rejects.toThrow();
  });
});

describe("the handlers alone", () => {
  test("answer through a server of MSW's own", async () => {
    const service = createMockService();
    const server = setupServer(...createHandlers(service));
    server.listen();
    expect((await ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
    server.close();
    expect(service.jobs.all).toHaveLength(1);
  });
});
