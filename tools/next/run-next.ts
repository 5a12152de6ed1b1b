import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { appFolder } from "./install.ts";

/** A Next.js server that runs. */
export interface NextServer {
  readonly url: string;
  readonly port: number;
  /** Everything that it has printed. */
  readonly printed: () => string;
  readonly close: () => Promise<void>;
}

const command = join(appFolder, "node_modules/next/dist/bin/next");

const start = (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const child: ChildProcess = spawn(process.execPath, [command, ...args], {
    cwd: appFolder,
    env: {
      PATH: process.env["PATH"],
      HOME: appFolder,
      NEXT_TELEMETRY_DISABLED: "1",
      NO_COLOR: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      printed += chunk;
    });
  }
  return { child, printed: () => printed };
};

/** Runs `next build`. */
export const buildApp = async (
  bundler: string,
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  const { child, printed } = start(["build", `--${bundler}`], env);
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`next build --${bundler} failed:\n${printed()}`);
};

/** Runs `next start` or `next dev`, and waits until it listens. */
export const startApp = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<NextServer> => {
  const { child, printed } = start([...args, "--hostname", "127.0.0.1", "--port", "0"], env);
  const closed = once(child, "close");
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  for (let tries = 0; !/Ready in/.test(printed()); tries++) {
    if (isClosed || tries > 600) throw new Error(`next ${args[0]} did not start:\n${printed()}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const [url = "", port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed()) ?? [];
  return {
    url,
    port: Number(port),
    printed,
    async close() {
      child.kill();
      await closed;
    },
  };
};
