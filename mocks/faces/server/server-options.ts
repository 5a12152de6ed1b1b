import * as z from "zod/mini";
import { type FieldsOf, fieldsOnly, wholeNumber } from "../../options/fields.ts";
import type { MockServiceOptions } from "../../options/options.ts";
import { refusal, requireFit } from "../../options/require.ts";
import type { MockService } from "../../service/mock-service.ts";
import { resolveService } from "../../service/resolve-service.ts";

/** Address that the server listens on, and its log. @inline */
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
   * Receives a line when something goes wrong in the server: the mock itself has failed.
   * @default console.error
   */
  warn?: (line: string) => void;
  /**
   * The address by which the users of the answers reach this server: behind a proxy, or in a
   * container. The URLs of pictures begin with it. An http(s) URL without a query.
   * @default the address that the request was sent to, when it names the server's own port, and
   * else `url` of the server
   */
  publicUrl?: string;
}

/** Port of the command `adgen-mock` unless `--port` says otherwise. IANA has given it to no one. */
export const defaultPort = 4471;

/** Options of a service of the server's own, or a service that exists already. */
export type MockServerOptions = MockServerListenOptions &
  (
    | (MockServiceOptions & { service?: never })
    | ({ service: MockService } & { [Option in keyof MockServiceOptions]?: never })
  );

type Log = NonNullable<MockServerListenOptions["log"]>;

const lineReader = z.custom<Log>((value) => typeof value === "function", { error: "a function" });

const isPublicUrl = (text: string): boolean => {
  const { protocol = "", username, password, search, hash } = URL.parse(text) ?? {};
  return /^https?:$/.test(protocol) && [username, password, search, hash].join("") === "";
};

const notEmpty = (error: string) => z.string({ error }).check(z.minLength(1, { error }));

const listenSchema = fieldsOnly({
  port: z.optional(wholeNumber(0, 65_535)),
  host: z.optional(notEmpty("a name or an address")),
  log: z.optional(lineReader),
  warn: z.optional(lineReader),
  publicUrl: z.optional(
    z
      .string({ error: "an http(s) URL" })
      .check(z.refine(isPublicUrl, { error: "an http(s) URL without user, query and hash" })),
  ),
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
  const { service: given, port, host, log, warn, publicUrl, ...rest } = options;
  const listening = { port, host, log, warn, publicUrl };
  const listen = requireFit("options", listenSchema, listening, "");
  const config = {
    ...listen,
    port: listen.port ?? 0,
    host: listen.host ?? "127.0.0.1",
    warn: listen.warn ?? ((line: string) => console.error(line)),
    publicUrl: listen.publicUrl?.replace(/\/+$/, ""),
  };
  const service = resolveService(given, rest, Object.keys(listening), { artwork: "served" });
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
