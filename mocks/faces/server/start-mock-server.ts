/// <reference lib="esnext.disposable" />
import { setMaxListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { MockServiceOptions } from "../../options/options.ts";
import type { MockService } from "../../service/mock-service.ts";
import { resolveService } from "../../service/resolve-service.ts";
import { createAdmin } from "./admin/admin.ts";
import { createListener, refusalResponse } from "./listener.ts";
import { answerMalformed, refuseExpectation } from "./malformed.ts";
import { openStateFile } from "./state-file.ts";

/** Where the server listens, and what it keeps. */
export interface MockServerListenOptions {
  /** 0 to 65535; 0 takes one that is free. @default 0 */
  port?: number;
  /**
   * The name or address to listen on. Anything but loopback lets everybody on the network use
   * the service, and administer it below "/__mock/".
   * @default "127.0.0.1"
   */
  host?: string;
  /** Is given one line for each exchange, without keys. @default no log */
  log?: (line: string) => void;
  /**
   * A JSON file that the service is restored from, when it is there, and kept in. The answer to
   * a request that may change something goes out when the file holds the change; one that only
   * reads does not wait. When saving fails, the log says so and the answer goes out all the
   * same: what has happened has happened. The journal is not kept. Each save writes all there is:
   * good for thousands of jobs, slow for a million.
   * @default nothing is kept
   */
  stateFile?: string;
}

/** A service of its own, made from the options; or one that is there already. */
export type MockServerOptions = MockServerListenOptions &
  (
    | (MockServiceOptions & { service?: never })
    | ({ service: MockService } & { [Option in keyof MockServiceOptions]?: never })
  );

/** A server that runs. */
export interface MockServer extends AsyncDisposable {
  /** The base URL for clients, without a slash at its end; the page is at `/__mock/` below it. */
  readonly url: string;
  /** The port it has. */
  readonly port: number;
  /** What it answers with, to steer and to look at. */
  readonly service: MockService;
  /**
   * Stops: takes no more connections, delivers at once what was to come later, and ends what
   * stalls; requests that are not complete get a second for it. Saves the state a last time.
   *
   * @throws Error when the state could not be saved; the server is closed all the same
   */
  close(): Promise<void>;
  /** Lets the process end while the server still listens, as `unref` of a timer does. */
  unref(): void;
}

/** How long a request that is on its way may keep the server from closing. */
const graceMs = 1000;

/**
 * What idle connections are promised, in milliseconds. Node's own `fetch` (undici) does not
 * use a connection again that is promised 2 seconds or less, and that is needed: it looks after
 * idle ones with a timer, which a runner's fake timers stop. Other clients use it again.
 */
const keepAliveMs = 2000;

/** They are kept for longer than promised: a client that knows no promise meets no closed door. */
const keepAliveReserveMs = 60_000;

const requireRight = (option: string, isRight: boolean, expected: string): void => {
  if (!isRight) throw new TypeError(`The mock server's ${option} must be ${expected}`);
};

/** A service that answers another address only would answer nothing here. */
const requireOwnBaseUrl = (baseUrl: string | undefined, own: string): void => {
  const isOwn = baseUrl === undefined || new URL(baseUrl).origin === own;
  requireRight("baseUrl", isOwn, `left out, or below ${own}: it is "${baseUrl}"`);
};

/** For a URL: whoever listens everywhere is reached on loopback too. */
const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
};

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });

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
  const { service: given, port = 0, host = "127.0.0.1", log, stateFile, ...rest } = options;
  requireRight("port", Number.isInteger(port) && port >= 0 && port <= 65_535, "0 to 65535");
  requireRight("host", typeof host === "string" && host !== "", "a name or an address");
  requireRight("log", log === undefined || typeof log === "function", "a function");
  const isPath = stateFile === undefined || (typeof stateFile === "string" && stateFile !== "");
  requireRight("stateFile", isPath, "a path");
  const service = resolveService(given, rest, { artwork: "served" });
  requireOwnBaseUrl(service.baseUrl, `http://${reachable(host)}:${port}`);
  const detach = service.attach({ name: "HTTP server", cannotPlay: ["refuse"] });
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const closing = abort.signal;
  const stop = async (server: Server): Promise<void> => {
    detach();
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    abort.abort();
    AbortSignal.timeout(graceMs).addEventListener("abort", () => server.closeAllConnections());
    await stopped;
  };

  try {
    const kept = stateFile === undefined ? undefined : await openStateFile(stateFile, service, log);
    const admin = createAdmin(service);
    const around = { service, admin, host, stateFile: kept, log, closing };
    const { listener, answerPlain } = createListener(around);
    const listenWithHono = getRequestListener(listener, {
      hostname: reachable(host),
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
      errorHandler: () => refusalResponse(400, "Malformed request"),
    });
    const server = createServer(
      { keepAliveTimeout: keepAliveMs, keepAliveTimeoutBuffer: keepAliveReserveMs },
      (incoming, outgoing) => {
        if (!answerPlain(incoming, outgoing)) void listenWithHono(incoming, outgoing);
      },
    );
    server.on("clientError", answerMalformed);
    server.on("checkExpectation", refuseExpectation);
    await listen(server, port, host);
    try {
      // Not before it listens: whoever has the port may have the file, too.
      await kept?.claim();
    } catch (error) {
      await stop(server);
      throw error;
    }
    const { port: taken } = server.address() as AddressInfo;
    let stopping: Promise<void> | undefined;
    const close = (): Promise<void> => {
      stopping ??= stop(server).then(() => kept?.close());
      return stopping;
    };
    const unref = (): void => {
      server.unref().on("connection", (socket) => socket.unref());
    };
    const url = `http://${reachable(host)}:${taken}`;
    return { url, port: taken, service, close, unref, [Symbol.asyncDispose]: close };
  } catch (error) {
    detach();
    throw error;
  }
};
