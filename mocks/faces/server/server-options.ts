import type { MockServiceOptions } from "../../options/options.ts";
import type { MockService } from "../../service/mock-service.ts";
import { resolveService } from "../../service/resolve-service.ts";

/** Address that the server listens on, its log, and its state file. */
export interface MockServerListenOptions {
  /** 0 to 65535; 0 takes a free one. @default 0 */
  port?: number;
  /**
   * The name or address to listen on. With any but a loopback address, everybody on the network
   * can use the service, and administer it below "/__mock/".
   * @default "127.0.0.1"
   */
  host?: string;
  /** Receives one line for each request, without keys. @default no log */
  log?: (line: string) => void;
  /**
   * A JSON file that the service is restored from, when it exists, and kept in. The answer to a
   * request that may change something goes out when the file holds the change; one that only
   * reads does not wait. When saving fails, the log says so and the answer is sent anyway, because
   * the change has already been made. The journal is not kept. Each save writes everything: good
   * for thousands of jobs, slow for a million.
   * @default nothing is kept
   */
  stateFile?: string;
}

/** Options of a service of the server's own, or a service that exists already. */
export type MockServerOptions = MockServerListenOptions &
  (
    | (MockServiceOptions & { service?: never })
    | ({ service: MockService } & { [Option in keyof MockServiceOptions]?: never })
  );

/** Checked options, with their defaults. */
export interface MockServerConfig {
  readonly port: number;
  readonly host: string;
  /** Host of the server's URL. A server that listens everywhere is reached on loopback too. */
  readonly ownHost: string;
  readonly log: ((line: string) => void) | undefined;
  readonly stateFile: string | undefined;
  readonly service: MockService;
}

const requireRight = (option: string, isRight: boolean, value: unknown, expected: string): void => {
  if (isRight) return;
  throw new TypeError(
    `The mock server's ${option} is ${JSON.stringify(value)}; expected ${expected}`,
  );
};

const reachableHost = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
};

/**
 * Checks the options of a server.
 *
 * @throws TypeError when an option makes no sense; the message names it
 */
export const resolveServerOptions = (options: MockServerOptions): MockServerConfig => {
  const { service: given, port = 0, host = "127.0.0.1", log, stateFile, ...rest } = options;
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  requireRight("port", isPort, port, "a whole number from 0 to 65535");
  requireRight("host", typeof host === "string" && host !== "", host, "a name or an address");
  requireRight("log", log === undefined || typeof log === "function", log, "a function");
  const isPath = stateFile === undefined || (typeof stateFile === "string" && stateFile !== "");
  requireRight("stateFile", isPath, stateFile, "a path");
  const service = resolveService(given, rest, { artwork: "served" });
  const ownHost = reachableHost(host);
  const own = `http://${ownHost}:${port}`;
  const { baseUrl } = service;
  // A service below another address would answer no request of this server.
  const isOwn = baseUrl === undefined || new URL(baseUrl).origin === own;
  requireRight("baseUrl", isOwn, baseUrl, `none, or one below ${own}`);
  return { port, host, ownHost, log, stateFile, service };
};
