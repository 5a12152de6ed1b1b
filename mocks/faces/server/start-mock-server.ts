/// <reference lib="esnext.disposable" />
import { setMaxListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { MockService } from "../../service/mock-service.ts";
import { createAdmin } from "./admin/admin.ts";
import { createListener } from "./listener.ts";
import { answerMalformed, refuseExpectation } from "./malformed.ts";
import {
  type MockServerConfig,
  type MockServerOptions,
  resolveServerOptions,
} from "./server-options.ts";
import { openStateFile, type StateFile } from "./state-file.ts";

/** A server that runs. */
export interface MockServer extends AsyncDisposable {
  /** The base URL for clients, without a slash at its end; the page is at `/__mock/` below it. */
  readonly url: string;
  /** The port it has. */
  readonly port: number;
  /** The service behind it, to steer and to look at. */
  readonly service: MockService;
  /**
   * Stops: takes no more connections, delivers late answers at once, and ends those that stall.
   * Requests that are not complete get a second. Saves the state a last time.
   *
   * @throws Error when the state could not be saved; the server is closed all the same
   */
  close(): Promise<void>;
  /** Lets the process end while the server still listens, as `unref` of a timer does. */
  unref(): void;
}

/** Milliseconds that an incomplete request may keep the server from closing. */
const graceMs = 1000;

/**
 * Milliseconds that idle connections are promised. Node's own `fetch` (undici) does not reuse a
 * connection that is promised 2 seconds or less. That is needed, because it watches idle ones with
 * a timer, which a test runner's fake timers stop. Other clients do reuse it.
 */
const keepAliveMs = 2000;

/** Milliseconds beyond the promise: a client that ignores it still finds the connection open. */
const keepAliveReserveMs = 60_000;

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });

/** A server and its end. */
interface Stoppable {
  readonly server: Server;
  readonly stop: () => Promise<void>;
}

const createStoppable = (config: MockServerConfig, stateFile: StateFile | undefined): Stoppable => {
  const { service, host, ownHost, log } = config;
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const admin = createAdmin(service);
  const closing = abort.signal;
  const server = createServer(
    { keepAliveTimeout: keepAliveMs, keepAliveTimeoutBuffer: keepAliveReserveMs },
    createListener({ service, admin, host, ownHost, stateFile, log, closing }),
  );
  server.on("clientError", answerMalformed);
  server.on("checkExpectation", refuseExpectation);

  const stop = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    abort.abort();
    AbortSignal.timeout(graceMs).addEventListener("abort", () => server.closeAllConnections());
    await stopped;
  };
  return { server, stop };
};

const start = async (config: MockServerConfig): Promise<Stoppable & { kept?: StateFile }> => {
  const { stateFile, service, log, port, host } = config;
  const kept = stateFile === undefined ? undefined : await openStateFile(stateFile, service, log);
  const { server, stop } = createStoppable(config, kept);
  await listen(server, port, host);
  try {
    // Only now: another server that has the port may have the file, too.
    await kept?.claim();
  } catch (error) {
    await stop();
    throw error;
  }
  return { server, stop, ...(kept && { kept }) };
};

/**
 * Serves a mock service over HTTP: the API at every path, the admin and its page below
 * `/__mock/`. Browser apps of every origin may use the API.
 *
 * @throws TypeError when an option makes no sense
 * @throws Error when the port is taken, or the state file is no snapshot
 * @example
 * ```ts
 * await using server = await startMockServer({ seed: "demo" });
 * const client = createClient({ baseUrl: server.url, apiKey: "test-key" });
 * ```
 */
export const startMockServer = async (options: MockServerOptions = {}): Promise<MockServer> => {
  const config = resolveServerOptions(options);
  const { service, ownHost } = config;
  const detach = service.attach({ name: "HTTP server", cannotPlay: ["refuse"] });
  try {
    const { server, stop, kept } = await start(config);
    const { port } = server.address() as AddressInfo;
    let stopping: Promise<void> | undefined;
    const close = (): Promise<void> => {
      detach();
      stopping ??= stop().then(() => kept?.close());
      return stopping;
    };
    const unref = (): void => {
      server.unref().on("connection", (socket) => socket.unref());
    };
    const url = `http://${ownHost}:${port}`;
    return { url, port, service, close, unref, [Symbol.asyncDispose]: close };
  } catch (error) {
    detach();
    throw error;
  }
};
