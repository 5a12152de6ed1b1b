// The scene of test/examples.test.ts: a folder, a service, and what a program prints.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createMockService, type MockServiceOptions } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { afterEach, beforeEach, vi } from "vitest";

/** Waits a turn of the real event loop, also while a test has fake timers. */
const { setImmediate } = globalThis;
export const letRealTimePass = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => resolve()));

/** Parent of the folders: in memory if possible, because programs sync hundreds of records. */
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

let runs = 0;

/** Opens a scene for each test of a file. */
export const useExampleScene = () => {
  const scene = {
    /** `STATE_DIRECTORY` of the programs. */
    folder: "",
    /** Words of each call of `console.log`. */
    printed: [] as string[],
    service: createMockService(),
    account: () => scene.service.account("test-key"),
    /** Puts another service in the place of the first. */
    open: (options?: MockServiceOptions): void => {
      scene.service = createMockService(options);
      vi.stubGlobal("fetch", scene.service.fetch);
    },
    /** Puts a server in the place of the service, so that programs can fetch files, too. */
    openServer: async () => {
      const server = await startMockServer();
      scene.service = server.service;
      vi.unstubAllGlobals();
      vi.stubEnv("ADGEN_BASE_URL", server.url);
      return server;
    },
    /** Runs a program anew, as another process would; gives what it exports. */
    run: async <Exports>(file: string): Promise<Exports> =>
      import(`${resolve("examples", file)}?run=${++runs}`),
  };

  beforeEach(() => {
    scene.folder = mkdtempSync(join(parent, "adgen-tasks-"));
    scene.printed = [];
    vi.spyOn(console, "log").mockImplementation((...words) => {
      scene.printed.push(words.join(" "));
    });
    vi.stubEnv("STATE_DIRECTORY", scene.folder);
    vi.stubEnv("ADGEN_API_KEY", "test-key");
    vi.stubEnv("ADGEN_BASE_URL", "https://api.example.com");
    scene.open();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    rmSync(scene.folder, { recursive: true, force: true });
  });
  return scene;
};
