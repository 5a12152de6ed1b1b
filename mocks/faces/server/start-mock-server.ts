/// <reference lib="esnext.disposable" />
import { once, setMaxListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { MockService } from "../../service/mock-service.ts";
import { createListener } from "./listener.ts";
import {
  type MockServerConfig,
  type MockServerOptions,
  resolveServerOptions,
} from "./server-options.ts";

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
   * Requests that are not complete get a second.
   */
  close(): Promise<void>;
  /** Lets the process end while the server still listens, as `unref` of a timer does. */
  unref(): void;
}

/** Milliseconds that an incomplete request may keep the server from closing. */
const graceMs = 1000;

const connections = {
  /**
   * Milliseconds that idle connections are promised. Node's own `fetch` (undici) does not reuse a
   * connection that is promised 2 seconds or less. That is needed, because it watches idle ones
   * with a timer, which a test runner's fake timers stop. Other clients do reuse it.
   */
  keepAliveTimeout: 2000,
  /** Milliseconds beyond the promise: a client that ignores it still finds the connection open. */
  keepAliveTimeoutBuffer: 60_000,
};

/** Opens the port. Gives the server, and the function that stops it. */
const start = async (config: MockServerConfig) => {
  const { port, host } = config;
  const closing = new AbortController();
  try {
    setMaxListeners(0, closing.signal);
  } catch {
    // A signal of happy-dom, which takes the place of Node's in tests. It knows no limit.
  }
  const server = createServer(connections, createListener(config, closing.signal));

  const stop = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    closing.abort();
    AbortSignal.timeout(graceMs).addEventListener("abort", () => server.closeAllConnections());
    await stopped;
  };

  try {
    await once(server.listen(port, host), "listening");
    const url = `http://${config.ownHost}:${(server.address() as AddressInfo).port}`;
    return { server, url, stop };
  } catch (error) {
    if (server.listening) await stop();
    throw error;
  }
};

/**
 * Serves a mock service over HTTP: the API at every path, the admin and its page below
 * `/__mock/`. Browser apps of every origin may use the API.
 *
 * @throws TypeError when an option makes no sense
 * @throws Error when the port is taken
 * @example
 * ```ts
 * await using server = await startMockServer({ seed: "demo" });
 * const client = createClient({ baseUrl: server.url, apiKey: "test-key" });
 * ```
 */
export const startMockServer = async (options: MockServerOptions = {}): Promise<MockServer> => {
  const config = resolveServerOptions(options);
  const { service } = config;
  const detach = service.attach({ name: "HTTP server", cannotPlay: ["refuse"] });
  try {
    const { server, url, stop } = await start(config);
    const { port } = server.address() as AddressInfo;
    let stopping: Promise<void> | undefined;
    const close = (): Promise<void> => {
      detach();
      stopping ??= stop();
      return stopping;
    };
    const unref = (): void => {
      server.unref().on("connection", (socket) => socket.unref());
    };
    return { url, port, service, close, unref, [Symbol.asyncDispose]: close };
  } catch (error) {
    detach();
    throw error;
  }
};
