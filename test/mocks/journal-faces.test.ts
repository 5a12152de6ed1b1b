import { getResponse } from "msw";
import { expect, test } from "vitest";
import { createMockService, type MockFault, type MockService } from "../../mocks/index.ts";
import { createHandlers } from "../../mocks/msw.ts";
import { startMockServer } from "../../mocks/server.ts";

const headers = { authorization: "Bearer test-key" };

/** Asks by each face for the list of jobs, and reads the answer to its end. */
const faces: Readonly<Record<string, (service: MockService) => Promise<string>>> = {
  "service.fetch": async (service) =>
    (await service.fetch("https://ads.test/v1/jobs", { headers })).text(),
  MSW: async (service) => {
    const request = new Request("https://ads.test/v1/jobs", { headers });
    return (await getResponse(createHandlers(service), request))?.text() ?? "";
  },
  "the HTTP server": async (service) => {
    const server = await startMockServer({ service, port: 0 });
    try {
      return await (await fetch(`${server.url}/v1/jobs`, { headers })).text();
    } finally {
      await server.close();
    }
  },
};

const answered: readonly MockFault[] = [
  { kind: "latency", ms: 0 },
  { kind: "status", status: 503 },
  { kind: "drip-body", bytes: 40, everyMs: 1 },
  { kind: "cut-body" },
];

test.each(
  Object.entries(faces).flatMap(([name, ask]) =>
    answered.map((fault) => [name, fault.kind, ask, fault] as const),
  ),
)("%s tells the journal when the answer of %s was delivered", async (_, __, ask, fault) => {
  const service = createMockService();
  service.faults.play(fault);
  await ask(service).catch(() => {});
  expect(service.journal.entries).toHaveLength(1);
  expect(service.journal.entries[0]?.tookMs).toBeGreaterThan(0);
});

test.each(Object.entries(faces))("%s tells it nothing when no answer went out", async (_, ask) => {
  const service = createMockService();
  service.faults.play({ kind: "reset" });
  await ask(service).catch(() => {});
  expect(service.journal.entries).toHaveLength(1);
  expect(service.journal.entries[0]?.tookMs).toBeUndefined();
});
