import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { createMockService, type MockService, type MockServiceOptions } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server.ts";
import { createAsk, globalFetch } from "./ask.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, startSavingServer, useStateFolders } from "./state-folders.ts";

const folder = useStateFolders();

/** Free, so that credits do not end. */
const copy = { action: "generate-ad-copy" };

/** Restores the service that the next server would have. */
const restored = async (options: MockServiceOptions = {}): Promise<MockService> => {
  const service = createMockService(options);
  service.restore(JSON.parse(await folder.readState()));
  return service;
};

/** Submits jobs, and gives their ids. */
const submit = (url: string, count: number): Promise<string[]> => {
  const ask = createAsk(globalFetch, "test-key", url);
  const jobs = Array.from({ length: count }, () => ask("POST", "/v1/jobs", copy));
  return Promise.all(jobs.map(async (job) => (await job).data.job_id));
};

describe("stateFile", () => {
  it("brings everything back, without the journal, and opens accounts that it does not know", async () => {
    const first = await startMockServer({ stateFile: folder.stateFile });
    await nameBrand(first.url, "Café");
    first.service.account("test-key").grant("image", { purchased: 5 });
    await first.close();
    const accounts = { "test-key": {}, new: { credits: { image: { monthly: 7 } } } };
    const { service } = await startServer({ stateFile: folder.stateFile, accounts });
    expect(service.journal.entries).toEqual([]);
    expect(service.account("test-key").brands).toMatchObject([{ name: "Café" }]);
    expect(service.accounts.map(({ key, credits }) => [key, credits.image])).toEqual([
      ["test-key", { monthly: 100, purchased: 5 }],
      ["new", { monthly: 7, purchased: 0 }],
    ]);
  });

  it("is refused when it holds something else, and left as it is", async () => {
    const { stateFile } = folder;
    for (const [content, words] of Object.entries({
      "{": "is not JSON",
      "": "is not JSON",
      '{"version":1}': "is no snapshot",
      '{"version":99}': "is no snapshot",
    })) {
      await writeFile(stateFile, content);
      await expect(startMockServer({ stateFile })).rejects.toThrow(`state.json ${words}`);
      expect(await folder.readState()).toBe(content);
      expect(await folder.names()).toEqual(["state.json"]);
    }
  });

  it("is left alone by a server that gets no port", async () => {
    const { stateFile } = folder;
    await (await startMockServer({ stateFile })).close();
    const before = await stat(stateFile);
    const { port } = await startServer();
    await expect(startMockServer({ stateFile, port })).rejects.toThrow("EADDRINUSE");
    expect((await stat(stateFile)).ino).toBe(before.ino);
    expect(await folder.names()).toEqual(["state.json"]);
  });

  it("follows a link to the file, but none in place of the new one, which hides the keys", async () => {
    await mkdir(folder.at("real"));
    const [target, other] = [folder.at("real/kept.json"), folder.at("other")];
    await writeFile(other, "mine");
    await symlink(target, folder.stateFile);
    const { url } = await startServer({ stateFile: folder.stateFile });
    await symlink(other, `${target}.new`);
    await nameBrand(url, "linked");
    expect(await folder.readState()).toContain("linked");
    expect((await stat(target)).mode & 0o077).toBe(0);
    expect((await stat(other)).size).toBe(4);
  });
});

describe("a poll", () => {
  const timed = { timeline: { queuedMs: 1000, processingMs: 1000 } };
  const clock = { now: () => Date.UTC(2026, 0, 1) };

  it("is answered when the file holds the states that time has brought, in a list, to the admin too", async () => {
    const service = createMockService({ ...timed, clock });
    const { url, ask } = await startServer({ service, stateFile: folder.stateFile });
    const [one = "", two = "", three = ""] = await submit(url, 3);
    const kept = async (id: string) => (await restored({ ...timed, clock })).jobs.find(id)?.status;
    service.clock.advance(1500);
    await fetch(`${url}/__mock/jobs?limit=1`);
    expect(await kept(three)).toBe("processing");
    service.clock.advance(1500);
    expect((await ask("GET", `/v1/jobs/${one}`)).data.status).toBe("completed");
    expect(await kept(one)).toBe("completed");
    await ask("GET", "/v1/jobs");
    expect(await kept(two)).toBe("completed");
    // It waits for no save when it shows nothing new, which is saved in the background.
    const [id = ""] = await submit(url, 1);
    service.clock.advance(5);
    const before = await folder.readState();
    const snapshot = vi.spyOn(service, "snapshotText");
    await ask("GET", `/v1/jobs/${id}`);
    expect(snapshot).not.toHaveBeenCalled();
    await expect.poll(folder.readState).not.toBe(before);
  });

  it("waits for the save of the state that it has moved a job to, with others that wait for it", async () => {
    const service = createMockService();
    const { url, ask } = await startServer({ service, stateFile: folder.stateFile });
    const [id = ""] = await submit(url, 1);
    expect((await ask("GET", `/v1/jobs/${id}`)).data.status).toBe("processing");
    expect((await restored()).jobs.find(id)?.status).toBe("processing");
    const snapshot = vi.spyOn(service, "snapshotText");
    await Promise.all(Array.from({ length: 20 }, () => ask("GET", `/v1/jobs/${id}`)));
    expect((await restored()).jobs.find(id)?.status).toBe("completed");
    expect(snapshot.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it("saves that a fault was played before it plays it", async () => {
    const { ask, service } = await startServer({ stateFile: folder.stateFile });
    service.faults.play({ kind: "status", status: 503 }, { times: 2 });
    await ask("GET", "/v1/jobs");
    const { faults } = JSON.parse(await folder.readState());
    expect(faults.planned).toMatchObject([{ played: 1 }]);
  });
});

const order = ["lost", "queued", "processing", "completed"];
const ways = ["per-poll", "5,5"] as const;

/** Names brands, and polls jobs, until the server is gone. */
const live = async (url: string, named: string[], seen: Map<string, string>): Promise<never> => {
  const ask = createAsk(globalFetch, "test-key", url);
  for (;;) {
    const name = `${named.length}-${seen.size}`;
    if ((await nameBrand(url, name)) === 201) named.push(name);
    const [id = ""] = await submit(url, 1);
    seen.set(id, "queued");
    while (seen.get(id) !== "completed") {
      seen.set(id, (await ask("GET", `/v1/jobs/${id}`)).data.status);
    }
  }
};

it("a server that is killed has every change that it has answered, and turns no state back", async () => {
  const rounds = Number(process.env["KILL_ROUNDS"] ?? 5);
  const named: string[] = [];
  const clock = { now: () => 0 };
  for (let round = 0; round < rounds; round += 1) {
    const way = ways[round % 2] ?? "per-poll";
    const { url, kill } = await startSavingServer(folder.stateFile, way);
    if (round === 0) {
      const second = startMockServer({ stateFile: folder.stateFile });
      await expect(second).rejects.toThrow("in use by another server");
    }
    const seen = new Map<string, string>();
    const clients = Promise.allSettled([1, 2, 3].map(() => live(url, named, seen)));
    // At another moment of a save each time.
    const patience = { timeout: 60_000, interval: 1 + round };
    const isEnough = 3 + ((round * 7) % 20);
    await vi.waitFor(() => expect(seen.size).toBeGreaterThan(isEnough), patience);
    await kill();
    await clients;
    const timeline = way === "per-poll" ? way : { queuedMs: 5, processingMs: 5 };
    const service = await restored({ timeline, clock });
    const kept = new Set(service.account("test-key").brands.map(({ name }) => name));
    expect(named.filter((name) => !kept.has(name))).toEqual([]);
    const turnedBack = [...seen].filter(([id, status]) => {
      return order.indexOf(service.jobs.find(id)?.status ?? "lost") < order.indexOf(status);
    });
    expect(turnedBack).toEqual([]);
  }
  expect(named.length).toBeGreaterThan(3 * rounds);
  const server = await startServer({ stateFile: folder.stateFile });
  expect(server.service.account("test-key").brands.length).toBeGreaterThanOrEqual(named.length);
  await server.close();
  expect(await folder.names()).toEqual(["state.json"]);
});
