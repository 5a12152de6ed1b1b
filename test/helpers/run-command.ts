import { mkdirSync, writeFileSync } from "node:fs";
import { Server } from "node:http";
import { delimiter, join, resolve } from "node:path";
import { vi } from "vitest";
import { runProcess } from "./run-process.ts";

/** End of a command. */
export interface CommandEnd {
  readonly status: number | null;
  /** All that it printed, in both streams. */
  readonly output: string;
}

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/** Runs a command in a folder, and waits for its end. */
export const runCommand = async (
  folder: string,
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<CommandEnd> => {
  const options = { cwd: folder, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } };
  const { status, output } = await runProcess(command, options);
  return { status, output };
};

/** A program's server, while it runs. */
export interface StartedProgram {
  readonly url: string;
  readonly close: () => void;
}

/** Starts a program that listens on a fixed port, on a free port of loopback instead. */
export const startProgram = async (load: () => Promise<unknown>): Promise<StartedProgram> => {
  const { listen } = Server.prototype;
  const servers: Server[] = [];
  const listenAnywhere = function (this: Server, ...args: unknown[]): Server {
    servers.push(this);
    const onListening = args.find((arg): arg is () => void => typeof arg === "function");
    return listen.call(this, { port: 0, host: "127.0.0.1" }, onListening);
  };
  const spy = vi.spyOn(Server.prototype, "listen").mockImplementation(listenAnywhere);
  await load();
  const isReady = (): boolean => servers.length > 0 && servers.every(({ listening }) => listening);
  await vi.waitUntil(isReady, { timeout: 150_000, interval: 5 });
  spy.mockRestore();
  const address = servers[0]?.address();
  if (typeof address !== "object" || address === null) throw new Error("The program has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
};

/**
 * Writes a script in the place of npx, which runs the command of the sources. Returns the variables
 * of a program that finds it.
 */
export const writeNpx = (folder: string): { readonly PATH: string } => {
  mkdirSync(folder, { recursive: true });
  const command = `#!/bin/sh
[ "$1 $2 $3" = "-p adgen-sdk adgen-mock" ] || exit 1
shift 3
exec "${process.execPath}" "${resolve("mocks/server/cli.ts")}" "$@"
`;
  writeFileSync(join(folder, "npx"), command, { mode: 0o755 });
  return { PATH: `${folder}${delimiter}${PATH}` };
};
