import { describe, expect, it } from "vitest";
import { createMockService, type MockService } from "../../mocks/index.ts";

const headers = { authorization: "Bearer test-key" };
const submission = '{"action":"generate-ad","prompt":"Summer sale","variations":2}';

const createQuickService = (options = {}): MockService =>
  createMockService({ timeline: { queuedMs: 0, processingMs: 0 }, ...options });

const submit = async (service: MockService): Promise<string> => {
  const init = { method: "POST", headers, body: submission };
  const answer = await service.fetch("https://ads.test/v1/jobs", init);
  return (await answer.json()).data.job_id;
};

const read = async (service: MockService, path: string, origin = "https://ads.test") =>
  (await service.fetch(origin + path, { headers })).text();

const look = (service: MockService, id: string, origin?: string) =>
  read(service, `/v1/jobs/${id}`, origin);

describe("a finished job", () => {
  it("looks the same each time, alone and in a list", async () => {
    const service = createQuickService();
    const id = await submit(service);
    const first = await look(service, id);
    expect(await look(service, id)).toBe(first);
    const { data } = JSON.parse(first);
    for (let time = 0; time < 2; time += 1) {
      const list = await read(service, "/v1/jobs");
      expect(list).toBe(JSON.stringify({ success: true, data: { jobs: [data] }, error: null }));
    }
  });

  it("cannot be changed through what the service shows of it", async () => {
    const service = createQuickService();
    const id = await submit(service);
    const before = await look(service, id);
    for (const job of [service.jobs.find(id), service.jobs.all[0]]) {
      Object.assign(job ?? {}, { status: "failed" });
      Object.assign((job?.result ?? {}) as object, { images: [] });
    }
    expect(await look(service, id)).toBe(before);
    expect(await read(service, "/v1/jobs")).toContain('"completed"');
  });

  it("is in the journal as it was answered, in long lists too", async () => {
    const service = createQuickService();
    for (let count = 0; count < 20; count += 1) await submit(service);
    const answered = JSON.parse(await read(service, "/v1/jobs?limit=20"));
    expect(service.journal.entries.at(-1)?.answer).toEqual({ status: 200, body: answered });
  });
});
