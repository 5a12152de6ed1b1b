import { describe, expect, it } from "vitest";
import { createManualClock, createMockService, type MockService } from "../../mocks/index.ts";

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

  it("has the pictures' URLs of each origin that asks", async () => {
    const service = createQuickService({ artwork: "served" });
    const id = await submit(service);
    for (const origin of ["https://one.test", "https://two.test", "https://one.test"]) {
      const { data } = JSON.parse(await look(service, id, origin));
      expect(data.result.images[0].url).toBe(`${origin}/__mock/artwork/${id}/1.svg`);
    }
  });

  it("is not found after a reset", async () => {
    const service = createQuickService({ clock: createManualClock() });
    const id = await submit(service);
    expect(await look(service, id)).toContain('"completed"');
    service.reset();
    expect(await look(service, id)).toContain('"Job not found"');
    expect(await submit(service)).not.toBe(id);
    expect(await look(service, id)).toContain('"Job not found"');
  });

  it("is another one after a restore, under the same id", async () => {
    const service = createQuickService({ clock: createManualClock() });
    const empty = service.snapshot();
    const id = await submit(service);
    expect(await look(service, id)).toContain('"completed"');
    service.restore(empty);
    service.jobs.next({ fail: "No luck" });
    expect(await submit(service)).toBe(id);
    expect(await look(service, id)).toContain('"error":"No luck"');
  });

  it("is unfinished again when a snapshot brings back the time before its end", async () => {
    const service = createMockService({
      clock: createManualClock(),
      timeline: { queuedMs: 0, processingMs: 1000 },
    });
    const id = await submit(service);
    const snapshot = service.snapshot();
    const fork = service.fork();
    service.clock.advance(1000);
    expect(await look(service, id)).toContain('"completed"');
    expect(await look(fork, id)).toContain('"processing"');
    service.restore(snapshot);
    expect(await look(service, id)).toContain('"processing"');
    service.jobs.fail(id, "Stopped");
    expect(await look(service, id)).toContain('"error":"Stopped"');
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

  it("shows the result that a test has given, whole, each time", async () => {
    const service = createQuickService({ timeline: "per-poll" });
    const id = await submit(service);
    service.jobs.complete(id, { text: "…", deep: [{ url: "x" }] });
    for (let time = 0; time < 2; time += 1) {
      expect(JSON.parse(await look(service, id)).data.result).toEqual({
        text: "…",
        deep: [{ url: "x" }],
      });
    }
  });

  it("is in the journal as it was answered, in long lists too", async () => {
    const service = createQuickService();
    for (let count = 0; count < 20; count += 1) await submit(service);
    const answered = JSON.parse(await read(service, "/v1/jobs?limit=20"));
    expect(service.journal.entries.at(-1)?.answer).toEqual({ status: 200, body: answered });
  });
});
