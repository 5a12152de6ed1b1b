/// <reference lib="esnext.disposable" />
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { MockServiceOptions } from "../options/options.ts";
import type { MockService } from "../service/mock-service.ts";
import { resolveService } from "../service/resolve-service.ts";
import { createApp } from "./app.ts";

/** Address that the server listens on, and its log. @inline */
export interface MockServerListenOptions {
  /** 0 to 65535; 0 takes a free one. @default 0 */
  port?: number;
  /**
   * The name or address to listen on. With any but a loopback address, everybody on the network
   * can use the service, and steer it below "/__mock/".
   * @default "127.0.0.1"
   */
  host?: string;
  /**
   * Other names by which the page and the commands below "/__mock/" may be asked, such as that of a
   * container. The API itself answers by every name.
   * @default none: loopback names, and the addresses of this machine
   */
  allowHosts?: readonly string[];
  /** Receives one line for each request, without keys. @default no log */
  log?: (line: string) => void;
}

/** Options of a service of the server's own, or a service that exists already. */
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
  /** The service behind it, to steer and to look at. */
  readonly service: MockService;
  /** Stops, and ends the connections that are open. */
  close(): Promise<void>;
  /** Lets the process end while the server still listens, as `unref` of a timer does. */
  unref(): void;
}

/**
 * Serves a mock service over HTTP: the API at every path, and below `/__mock/` a page and the
 * commands that steer it. Browser apps of every origin may use the API.
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
  const { service: given, port: asked = 0, host = "127.0.0.1", allowHosts, log, ...rest } = options;
  const own = ["port", "host", "allowHosts", "log"];
  const service = resolveService(given, rest, own);
  const closing = new AbortController();
  const server = createAdaptorServer({
    fetch: createApp(service, { host, allowHosts: allowHosts ?? [], log }, closing.signal).fetch,
    overrideGlobalObjects: false,
    // Node's own `fetch` watches an idle connection with a timer, which a test runner may have
    // faked. It does not keep one that is promised 2 seconds or less.
    serverOptions: { keepAliveTimeout: 2_000, keepAliveTimeoutBuffer: 60_000 },
  });
  await once(server.listen(asked, host), "listening");
  const { port } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const close = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    closing.abort();
    const closed = once(server, "close");
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
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
