import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A Redis for the example: the one of REDIS_URL, or one of its own. */
export interface Redis {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || address === null) throw new Error("No port is free");
  return address.port;
};

const answers = async (port: number): Promise<boolean> => {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** Starts `redis-server` in a folder of its own. It writes every command to disk at once. */
const startRedis = async (): Promise<Redis> => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-fleet-"));
  const port = await findFreePort();
  const words = [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    ...["--appendonly", "yes", "--appendfsync", "always"],
  ];
  const child = spawn("redis-server", words, { stdio: "ignore" });
  child.on("error", () => {
    console.error("There is no redis-server: install Redis, or set REDIS_URL.");
    process.exit(1);
  });
  while (!(await answers(port))) await pause(50);
  return {
    url: `redis://127.0.0.1:${port}`,
    close: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export const openRedis = async (): Promise<Redis> => {
  const url = process.env["REDIS_URL"];
  return url === undefined ? startRedis() : { url, close: async () => {} };
};
