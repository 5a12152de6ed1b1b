import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { redisMissing, redisPath } from "../../tools/runtimes.ts";
import { pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const findFreePort = async (): Promise<number> => {
  const { url, close } = await listen();
  close();
  return Number(new URL(url).port);
};

/** Starts a Redis that loses no write. */
export const startRedis = async (appendFsync = "always") => {
  const path = redisPath;
  if (path === undefined) throw new Error(redisMissing);
  const folder = await mkdtemp(join(tmpdir(), "adgen-redis-"));
  const words = [
    ...["--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    ...["--appendonly", "yes", "--appendfsync", appendFsync, "--loglevel", "warning"],
  ];

  let child: ChildProcess | undefined;
  /** Returns whether Redis has started. It ends at once if another program has taken the port. */
  const startAt = async (port: number): Promise<boolean> => {
    child = spawn(path, [...words, "--port", String(port)], { stdio: "ignore" });
    const patient = { retryStrategy: () => 20, maxRetriesPerRequest: null };
    const probe = new Redis({ port, host: "127.0.0.1", ...patient }).on("error", () => {});
    // The ping rejects when the child has ended.
    const isReady = probe.ping().then(Boolean, () => false);
    const hasStarted = await Promise.race([isReady, once(child, "exit").then(() => false)]);
    probe.disconnect();
    return hasStarted;
  };
  const stop = async () => {
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };

  let port = await findFreePort();
  while (!(await startAt(port))) port = await findFreePort();
  // A test that fails midway leaves no server behind.
  process.once("exit", () => child?.kill("SIGKILL"));
  return {
    port,
    connection: { host: "127.0.0.1", port },
    /** Kills Redis, and starts it again on its file after a time. */
    async crash(downMs = 0) {
      await stop();
      await pause(downMs);
      while (!(await startAt(port)));
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;
