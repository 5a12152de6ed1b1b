import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { createMockService, type MockService, type MockServiceOptions } from "../../mocks/index.ts";
import { startMockServer } from "../../mocks/server.ts";
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

describe("stateFile", () => {
  it("brings everything back, without the journal, and opens accounts that it does not know", async () => {
    const first = await startMockServer({ stateFile: folder.stateFile });
    await nameBrand(first.url, "Café");
    first.service.account("test-key").grant({ image: { purchased: 5 } });
    await first.close();
    const job = { id: "job_hero", action: "generate-ad" } as const;
    const opening = { credits: { image: { monthly: 7 } }, brands: [{ name: "New" }], jobs: [job] };
    const accounts = { "test-key": {}, new: opening };
    const { service } = await startServer({ stateFile: folder.stateFile, accounts });
    expect(service.journal.entries).toEqual([]);
    expect(service.account("test-key").brands).toMatchObject([{ name: "Café" }]);
    expect(service.accounts.map(({ key, credits }) => [key, credits.image])).toEqual([
      ["test-key", { monthly: 100, purchased: 5 }],
      ["new", { monthly: 7, purchased: 0 }],
    ]);
    expect(service.account("new").brands).toMatchObject([{ name: "New" }]);
    expect(service.jobs.find("job_hero")).toMatchObject({ status: "completed" });
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
    await expect.poll(folder.readState).toContain("linked");
    expect((await stat(target)).mode & 0o077).toBe(0);
    expect((await stat(other)).size).toBe(4);
  });
});

it("saves what changes in a moment by one save, polls and faults too", async () => {
  const { ask, service } = await startServer({ stateFile: folder.stateFile });
  const snapshot = vi.spyOn(service, "snapshotText");
  const ids = await Promise.all(Array.from({ length: 20 }, () => ask("POST", "/v1/jobs", copy)));
  const [id] = ids.map(({ data }) => data.job_id);
  await ask("GET", `/v1/jobs/${id}`);
  const kept = async () => (await restored()).jobs.find(id)?.status;
  await expect.poll(kept).toBe("processing");
  expect(snapshot.mock.calls.length).toBeLessThanOrEqual(3);
  service.faults.play({ kind: "status", status: 503 }, { times: 2 });
  await ask("GET", "/v1/jobs");
  const played = async () => JSON.parse(await folder.readState()).faults.planned[0]?.done;
  await expect.poll(played).toBe(1);
});

/** Names brands, one after the other, until the server is gone. */
const live = async (url: string, named: string[]): Promise<never> => {
  for (;;) {
    const name = `brand ${named.length}`;
    if ((await nameBrand(url, name)) === 201) named.push(name);
  }
};

it("a server that is killed has every change but those of its last moment, in a whole file", async () => {
  const rounds = Number(process.env["KILL_ROUNDS"] ?? 3);
  const named: string[] = [];
  const brands = async () => (await restored()).account("test-key").brands.map(({ name }) => name);
  for (let round = 0; round < rounds; round += 1) {
    const { url, kill } = await startSavingServer(folder.stateFile, "per-poll");
    if (round === 0) {
      const second = startMockServer({ stateFile: folder.stateFile });
      await expect(second).rejects.toThrow("in use by another server");
    }
    const client = live(url, named).catch(() => {});
    const before = (await brands()).length;
    // At another moment of a save each time.
    const patience = { timeout: 60_000, interval: 1 + round };
    await vi.waitFor(
      async () => expect((await brands()).length).toBeGreaterThan(before + 3),
      patience,
    );
    await kill();
    await client;
    const kept = await brands();
    expect(kept.length).toBeGreaterThan(before + 3);
    named.splice(kept.length);
    expect(kept.toReversed()).toEqual(named);
  }
  const server = await startServer({ stateFile: folder.stateFile });
  expect(server.service.account("test-key").brands.length).toBeGreaterThanOrEqual(named.length);
  await server.close();
  expect(await folder.names()).toEqual(["state.json"]);
});
