import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openStateFile } from "../../mocks/faces/server/state/state-file.ts";
import { createMockService } from "../../mocks/index.ts";
import { type MockServer, startMockServer } from "../../mocks/server.ts";
import { createAsk, globalFetch } from "./ask.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, startSavingServer, useStateFolders } from "./state-folders.ts";

let folder = "";
let stateFile = "";
useStateFolders((made) => {
  ({ folder, stateFile } = made);
});

const namesIn = async (url: string): Promise<string[]> => {
  const { data } = await createAsk(globalFetch, "test-key", url)("GET", "/v1/brands?limit=1000");
  return data.brands.map(({ name }: { name: string }) => name).reverse();
};

describe("stateFile", () => {
  it("brings everything back, without the journal", async () => {
    const first = await startMockServer({ stateFile });
    await nameBrand(first.url, "Café");
    first.service.account("test-key").grant("image", { purchased: 5 });
    await first.close();
    const second = await startServer({ stateFile });
    expect(second.service.journal.entries).toEqual([]);
    expect(await namesIn(second.url)).toEqual(["Café"]);
    expect(second.service.account("test-key").credits.image.purchased).toBe(5);
  });

  it("holds a change by the time that it is answered", async () => {
    const server = await startServer({ stateFile });
    for (const name of ["a", "b", "c"]) {
      await nameBrand(server.url, name);
      expect(await readFile(stateFile, "utf8")).toContain(`"name":"${name}"`);
    }
    const headers = { "content-type": "application/json" };
    const reset = await fetch(`${server.url}/__mock/reset`, {
      method: "POST",
      headers,
      body: "{}",
    });
    expect(reset.status).toBe(200);
    expect(await readFile(stateFile, "utf8")).not.toContain('"name":"a"');
  });

  it("saves in the background the changes that looks have made", async () => {
    const server = await startServer({ stateFile });
    const ask = createAsk(globalFetch, "test-key", server.url);
    const { data } = await ask("POST", "/v1/jobs", { action: "generate-ad" });
    const before = await readFile(stateFile, "utf8");
    await ask("GET", `/v1/jobs/${data.job_id}`);
    await expect.poll(async () => await readFile(stateFile, "utf8")).not.toBe(before);
  });

  it("opens accounts that the file does not know, and keeps those that it knows", async () => {
    const first = await startMockServer({ stateFile, accounts: { old: {} } });
    first.service.account("old").grant("image", { purchased: 1 });
    await first.close();
    const credits = { image: { monthly: 7 } };
    const second = await startServer({ stateFile, accounts: { old: {}, new: { credits } } });
    expect(second.service.accounts.map(({ key }) => key)).toEqual(["old", "new"]);
    expect(second.service.account("old").credits.image).toEqual({ monthly: 100, purchased: 1 });
    expect(second.service.account("new").credits.image).toEqual({ monthly: 7, purchased: 0 });
  });

  it.each([
    ["no JSON", "{", /state\.json is not JSON/],
    ["no snapshot", '{"version":1}', /state\.json is no snapshot/],
    ["another version", '{"version":99}', /state\.json is no snapshot/],
    ["nothing", "", /state\.json is not JSON/],
  ])("refuses a file that holds %s, and leaves it as it is", async (_, content, message) => {
    await writeFile(stateFile, content);
    await expect(startMockServer({ stateFile })).rejects.toThrow(message);
    expect(await readFile(stateFile, "utf8")).toBe(content);
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  it("refuses a place that cannot be written", async () => {
    const missing = join(folder, "no", "state.json");
    await expect(startMockServer({ stateFile: missing })).rejects.toThrow(/cannot be written/);
    await expect(startMockServer({ stateFile: folder })).rejects.toThrow(/cannot be read/);
  });

  it("is left alone by a server that gets no port", async () => {
    const first = await startMockServer({ stateFile });
    await nameBrand(first.url, "mine");
    await first.close();
    const before = await stat(stateFile);
    const { port } = await startServer();
    await expect(startMockServer({ stateFile, port })).rejects.toThrow("EADDRINUSE");
    expect((await stat(stateFile)).ino).toBe(before.ino);
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  it("writes over the unfinished save of a killed process", async () => {
    await writeFile(`${stateFile}.new`, "{");
    const server = await startServer({ stateFile });
    expect(JSON.parse(await readFile(stateFile, "utf8"))).toMatchObject({ version: 1 });
    await server.close();
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  it("writes through no link that somebody has put in the place of the temporary file", async () => {
    const target = join(folder, "target");
    await writeFile(target, "mine");
    const server = await startServer({ stateFile });
    await symlink(target, `${stateFile}.new`);
    await nameBrand(server.url, "a");
    expect(await readFile(target, "utf8")).toBe("mine");
    expect(await readFile(stateFile, "utf8")).toContain('"name":"a"');
  });

  it("follows a link, and lets no other user read the keys", async () => {
    await mkdir(join(folder, "real"));
    const target = join(folder, "real", "kept.json");
    await (await startMockServer({ stateFile: target })).close();
    await symlink(target, stateFile);
    const server = await startServer({ stateFile });
    await nameBrand(server.url, "linked");
    expect(await readFile(target, "utf8")).toContain("linked");
    expect((await stat(target)).mode & 0o077).toBe(0);
  });
});

describe("openStateFile", () => {
  it("takes all that waits while a save runs into the one after it", async () => {
    const service = createMockService();
    const snapshotText = vi.fn(service.snapshotText);
    const watched = { ...service, snapshotText, accounts: [] };
    const kept = await openStateFile(stateFile, watched, () => {});
    onTestFinished(kept.abandon);
    await kept.claim("http://127.0.0.1:1");
    snapshotText.mockClear();
    const saves: Promise<void>[] = [];
    for (let change = 0; change < 50; change += 1) {
      service.account("test-key").grant("image", { purchased: 1 });
      saves.push(kept.save());
    }
    await Promise.all(saves);
    expect(snapshotText.mock.calls.length).toBeLessThanOrEqual(2);
    const restored = createMockService();
    restored.restore(JSON.parse(await readFile(stateFile, "utf8")));
    expect(restored.account("test-key").credits.image.purchased).toBe(50);
  });

  it("writes every change but that of the snapshot's own time, in any order of fields", async () => {
    const service = createMockService();
    const state = { accounts: [{ ledger: [{ at: 1 }] }], at: 1000 };
    const watched = { ...service, snapshotText: () => JSON.stringify(state), accounts: [] };
    const kept = await openStateFile(stateFile, watched, () => {});
    onTestFinished(kept.abandon);
    await kept.claim("http://127.0.0.1:1");
    const isWritten = async (change: () => void): Promise<boolean> => {
      const { ino } = await stat(stateFile);
      change();
      await kept.save();
      return (await stat(stateFile)).ino !== ino;
    };
    expect(await isWritten(() => Object.assign(state, { at: 2000 }))).toBe(false);
    expect(
      await isWritten(() => Object.assign(state.accounts[0] ?? {}, { ledger: [{ at: 2 }] })),
    ).toBe(true);
    expect(JSON.parse(await readFile(stateFile, "utf8"))).toEqual(state);
  });
});

describe("a server that is killed while it saves", () => {
  it("has every change that it has answered, each time", async () => {
    const answered: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const { url, kill } = await startSavingServer(stateFile);
      let running = true;
      const client = async (id: number): Promise<void> => {
        for (let change = 0; running; change += 1) {
          const name = `${round}-${id}-${change}`;
          const response = await nameBrand(url, name).catch(() => undefined);
          if (response?.status !== 201) return;
          answered.push(name);
        }
      };
      const clients = [client(0), client(1), client(2)];
      const enough = answered.length + 2 + round;
      // At another moment of a save each time.
      const patience = { timeout: 60_000, interval: 1 + round };
      await vi.waitFor(() => expect(answered.length).toBeGreaterThanOrEqual(enough), patience);
      await kill();
      running = false;
      await Promise.all(clients);
      const service = createMockService();
      service.restore(JSON.parse(await readFile(stateFile, "utf8")));
      const kept = new Set(service.account("test-key").brands.map(({ name }) => name));
      expect(answered.filter((name) => !kept.has(name))).toEqual([]);
    }
    expect(answered.length).toBeGreaterThan(8);
    const server: MockServer = await startServer({ stateFile });
    expect(await namesIn(server.url)).toEqual(expect.arrayContaining(answered));
    // A look is saved in the background: the file of that may still be there.
    await server.close();
    expect(await readdir(folder)).toEqual(["state.json"]);
  });
});
