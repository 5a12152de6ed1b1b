import * as z from "zod/mini";
import { type FieldsOf, fieldsOnly, wholeNumber } from "../../options/fields.ts";
import type { MockServiceOptions } from "../../options/options.ts";
import { refusal, requireFit } from "../../options/require.ts";
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

type Log = NonNullable<MockServerListenOptions["log"]>;

const notEmpty = (error: string) => z.string({ error }).check(z.minLength(1, { error }));

const listenSchema = fieldsOnly({
  port: z.optional(wholeNumber(0, 65_535)),
  host: z.optional(notEmpty("a name or an address")),
  log: z.optional(z.custom<Log>((value) => typeof value === "function", { error: "a function" })),
  stateFile: z.optional(notEmpty("a path")),
} satisfies FieldsOf<MockServerListenOptions>);

const reachableHost = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
};

/** Checked options of a server, with their defaults. */
export type MockServerConfig = ReturnType<typeof resolveServerOptions>;

/**
 * Checks the options of a server, and makes its service.
 *
 * @throws TypeError when an option makes no sense; the message names it
 */
export const resolveServerOptions = (options: MockServerOptions) => {
  const { service: given, port, host, log, stateFile, ...rest } = options;
  const listen = requireFit("options", listenSchema, { port, host, log, stateFile }, "");
  const config = { ...listen, port: listen.port ?? 0, host: listen.host ?? "127.0.0.1" };
  const service = resolveService(given, rest, { artwork: "served" });
  // A server that listens everywhere is reached on loopback too.
  const ownHost = reachableHost(config.host);
  const own = `http://${ownHost}:${config.port}`;
  const { baseUrl } = service;
  if (baseUrl !== undefined && new URL(baseUrl).origin !== own) {
    // A service below another address would answer no request of this server.
    throw refusal("baseUrl", `left out, or below ${own}; it is ${baseUrl}`);
  }
  return { ...config, ownHost, service };
};
