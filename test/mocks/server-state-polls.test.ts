import { readFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openStateFile } from "../../mocks/faces/server/state/state-file.ts";
import { createMockService, type MockServiceOptions } from "../../mocks/index.ts";
import { type Ask, createAsk, globalFetch } from "./ask.ts";
import { authorized, startServer } from "./server-sockets.ts";
import { startSavingServer, useStateFolders } from "./state-folders.ts";

let stateFile = "";
useStateFolders((made) => {
  ({ stateFile } = made);
});

const askAt = (url: string): Ask => createAsk(globalFetch, "test-key", url);

/** Free, so that credits do not end. */
const submit = async (url: string): Promise<string> =>
  (await askAt(url)("POST", "/v1/jobs", { action: "generate-ad-copy" })).data.job_id;

const statusOf = async (url: string, id: string): Promise<string> =>
  (await askAt(url)("GET", `/v1/jobs/${id}`)).data.status;

/** Finds the state of a job in the file, as the next server would show it. */
const statusInFile = async (id: string, options: MockServiceOptions): Promise<string> => {
  const service = createMockService(options);
  service.restore(JSON.parse(await readFile(stateFile, "utf8")));
  return service.jobs.find(id)?.status ?? "lost";
};

const timed = { timeline: { queuedMs: 1000, processingMs: 1000 } };

describe("a poll", () => {
  it("is answered when the file holds the state that it has moved a job to", async () => {
    const server = await startServer({ stateFile });
    const id = await submit(server.url);
    for (const status of ["processing", "completed"]) {
      expect(await statusOf(server.url, id)).toBe(status);
      expect(await statusInFile(id, {})).toBe(status);
    }
  });

  it("does the same for the states that time brings, in a list and for the admin too", async () => {
    const clock = { now: () => Date.UTC(2026, 0, 1) };
    const service = createMockService({ ...timed, clock });
    const server = await startServer({ service, stateFile });
    const [one, two, three] = [
      await submit(server.url),
      await submit(server.url),
      await submit(server.url),
    ];
    service.clock.advance(1500);
    await fetch(`${server.url}/__mock/jobs?limit=1`);
    expect(await statusInFile(three, { ...timed, clock })).toBe("processing");
    service.clock.advance(1500);
    expect(await statusOf(server.url, one)).toBe("completed");
    expect(await statusInFile(one, { ...timed, clock })).toBe("completed");
    await fetch(`${server.url}/v1/jobs`, { headers: authorized });
    expect(await statusInFile(two, { ...timed, clock })).toBe("completed");
  });

  it("waits for the save that another look of the same state waits for", async () => {
    const service = createMockService();
    const server = await startServer({ service, stateFile });
    const id = await submit(server.url);
    const snapshot = vi.spyOn(service, "snapshotText");
    await Promise.all(Array.from({ length: 20 }, () => statusOf(server.url, id)));
    expect(await statusInFile(id, {})).toBe("completed");
    expect(snapshot.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it("waits for no save when it shows nothing new", async () => {
    const service = createMockService({ timeline: { queuedMs: 1000, processingMs: 1000 } });
    const kept = await openStateFile(stateFile, service, () => {});
    onTestFinished(kept.abandon);
    await kept.claim("http://127.0.0.1:1");
    const init = { method: "POST", headers: authorized, body: '{"action":"generate-ad-copy"}' };
    const { data } = await (await service.fetch("http://ads.test/v1/jobs", init)).json();
    await kept.save();
    const look = async () => {
      await service.fetch(`http://ads.test/v1/jobs/${data.job_id}`, { headers: authorized });
      return kept.savePoll();
    };
    expect(await look()).toBeUndefined();
    service.clock.advance(5000);
    await service.fetch("http://ads.test/v1/jobs", { headers: authorized });
    const saving = kept.savePoll();
    expect(saving).toBeInstanceOf(Promise);
    await saving;
    expect(await look()).toBeUndefined();
  });

  it("saves that a fault was played before it plays it", async () => {
    const server = await startServer({ stateFile });
    server.service.faults.play({ kind: "status", status: 503 }, { times: 2 });
    await fetch(`${server.url}/v1/jobs`, { headers: authorized });
    const { faults } = JSON.parse(await readFile(stateFile, "utf8"));
    expect(faults.planned).toMatchObject([{ played: 1 }]);
  });
});

const order = ["lost", "queued", "processing", "completed"];

/** A server in a process of its own, whose jobs three clients submit and look at. */
const startBusyChild = async (options: MockServiceOptions, seen: Map<string, string>) => {
  const { url, kill: killServer } = await startSavingServer(stateFile, options);
  const client = async (): Promise<void> => {
    for (;;) {
      const id = await submit(url);
      seen.set(id, "queued");
      while (seen.get(id) !== "completed") seen.set(id, await statusOf(url, id));
    }
  };
  const clients = Promise.allSettled([client(), client(), client()]);
  const kill = async (): Promise<void> => {
    await killServer();
    await clients;
  };
  return { kill };
};

describe("a server that is killed while clients look", () => {
  it.each([
    ["by polls", { timeline: "per-poll" }],
    ["by the time", { timeline: { queuedMs: 5, processingMs: 5 } }],
  ] as const)("turns back no state that it has shown: jobs move on %s", async (_, options) => {
    const rounds = Number(process.env["KILL_ROUNDS"] ?? 2);
    for (let round = 0; round < rounds; round += 1) {
      const seen = new Map<string, string>();
      const { kill } = await startBusyChild(options, seen);
      const isEnough = 3 + ((round * 7) % 20);
      await expect.poll(() => seen.size).toBeGreaterThan(isEnough);
      await kill();
      const clock = { now: () => 0 };
      for (const [id, status] of seen) {
        const kept = await statusInFile(id, { ...options, clock });
        expect([id, order.indexOf(kept)]).toEqual([
          id,
          expect.toSatisfy((place: number) => place >= order.indexOf(status)),
        ]);
      }
    }
  });
});
