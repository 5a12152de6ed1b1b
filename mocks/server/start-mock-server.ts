/// <reference lib="esnext.disposable" />
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { MockServiceOptions } from "../options/options.ts";
import type { MockService } from "../service/mock-service.ts";
import { resolveService } from "../service/resolve-service.ts";
import { createApp } from "./app.ts";

/** The address that the server listens on, and its log. @inline */
export interface MockServerListenOptions {
  /** Port, 0 to 65535; 0 takes a free one. @default 0 */
  port?: number;
  /**
   * Name or address to listen on. Unless it is a loopback address, everybody on the network can use the
   * service, and control it below "/__mock/".
   * @default "127.0.0.1"
   */
  host?: string;
  /**
   * Other names by which the page and the commands below "/__mock/" answer, such as the name of a
   * container. The API answers by every name.
   * @default none: only loopback names, and the addresses of this machine
   */
  allowHosts?: readonly string[];
  /** Is called with a line for each request. It hides the key of the request. @default no log */
  log?: (line: string) => void;
}

/** Options of the service, or an existing service. */
export type MockServerOptions = MockServerListenOptions &
  (
    | (MockServiceOptions & { service?: never })
    | ({ service: MockService } & { [Option in keyof MockServiceOptions]?: never })
  );

/** A running server. */
export interface MockServer extends AsyncDisposable {
  /** Base URL for clients, without a slash at its end. The page is at `/__mock/` below it. */
  readonly url: string;
  /** The port that it listens on. */
  readonly port: number;
  /** The service that answers. Use it to control and inspect the mock. */
  readonly service: MockService;
  /** Stops the server, and closes its connections. */
  close(): Promise<void>;
  /** Lets the process end while the server listens, as the `unref` of a timer does. */
  unref(): void;
}

/**
 * Serves a mock service over HTTP: the API below any path, and below `/__mock/` a page and commands to
 * control it. Browser apps of every origin may use the API.
 *
 * @throws TypeError when an option is invalid
 * @throws Error when the port is taken
 * @example
 * ```ts
 * await using server = await startMockServer({ seed: "demo" });
 * const client = createClient({ baseUrl: server.url, apiKey: "test-key" });
 * ```
 */
export const startMockServer = async (options: MockServerOptions = {}): Promise<MockServer> => {
  const { service: given, port: asked = 0, host = "127.0.0.1", allowHosts, log, ...rest } = options;
  const own = ["port", "host", "allowHosts", "log"];
  const service = resolveService(given, rest, own);
  const closing = new AbortController();
  const answer = createApp(service, { host, allowHosts: allowHosts ?? [], log }, closing.signal);
  const listener = getRequestListener(
    (request, bindings) => answer(request, bindings as HttpBindings), // there is no HTTP/2
    { overrideGlobalObjects: false },
  );
  // Node's `fetch` watches an idle connection with a timer, which a test runner may have faked. It
  // keeps no connection that is announced to last 2 seconds or less.
  const server = createServer(
    { keepAliveTimeout: 2_000, keepAliveTimeoutBuffer: 60_000 },
    listener,
  );
  await once(server.listen(asked, host), "listening");
  const { port } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const close = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    closing.abort();
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://${name.includes(":") ? `[${name}]` : name}:${port}`,
    port,
    service,
    close,
    unref: () => void server.unref().on("connection", (socket) => socket.unref()),
    [Symbol.asyncDispose]: close,
  };
};
