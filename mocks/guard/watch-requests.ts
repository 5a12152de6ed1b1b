import { getBuiltin } from "./runtime.ts";
import { readUrl } from "./urls.ts";

type Http = ReturnType<typeof getBuiltin<"node:http">>;
type ClientRequest = InstanceType<Http["ClientRequest"]>;
type Socket = NonNullable<ClientRequest["socket"]>;

/** What the guard decides about a request that is about to be sent. */
export interface Judgement {
  readonly url?: URL | undefined;
  readonly refusal?: Error | undefined;
  /** Whether a listening mock answers the request through MSW. */
  readonly isForMock?: boolean;
}

/**
 * Judges a request by each URL that it may be for; `undefined` stands for an address that no URL can
 * express.
 *
 * @param hasOtherSocket - Whether the request would be written to a socket that MSW doesn't watch
 */
export type Judge = (
  urls: readonly (URL | undefined)[],
  request: object,
  hasOtherSocket?: boolean,
) => Judgement;

/** A request in undici's core. Undici 8 has renamed the method that reports an error. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  onError?(error: Error): void;
  onResponseError?(error: Error): void;
}

/**
 * Returns whether MSW gets what is written to a socket. MSW 3 marks the sockets that it watches. MSW 2 and
 * nock create sockets with `respondWith`; if MSW 3 is loaded, such a socket belongs to nock.
 */
const isSocketOfMsw = (socket: object): boolean =>
  "__MSW_INTERCEPTORS_REGISTRY" in globalThis
    ? Object.getOwnPropertySymbols(socket).some(({ description }) => description === "kPatched")
    : "respondWith" in socket;

/** Options of an agent that say where it connects to. They override those of a request. */
interface Where {
  readonly host?: string;
  readonly port?: number | string;
}

/** Lists the URLs that a CONNECT may be for. undici opens a tunnel for "http:" as well. */
const urlsOfTunnel = (target: string): readonly (URL | undefined)[] => [
  readUrl(`https://${target}`),
  readUrl(`http://${target}`),
];

/**
 * Lists the URLs that a request of `node:http` may be for: where its connection goes, and what a Host
 * header or an absolute path names, because a proxy or a server may forward it there.
 *
 * @param knownPort - Port of the connection, once it is open
 */
const urlsOf = (request: ClientRequest, knownPort?: number): readonly (URL | undefined)[] => {
  const { protocol, path, method } = request;
  if (method === "CONNECT") return urlsOfTunnel(path);
  const { agent } = request as unknown as { readonly agent?: { readonly options?: Where } };
  const read = (host: string): URL | undefined => {
    const url = readUrl(`${protocol}//${host}${path.startsWith("/") ? path : "/"}`);
    // Node gives port 80 if no agent has a default.
    if (url?.protocol === "https:" && url.port === "80") url.port = "";
    return url;
  };
  const name = agent?.options?.host ?? request.host;
  const host = name.includes(":") ? `[${name}]` : name;
  const header = request.getHeader("host");
  const named = typeof header === "string" ? read(header) : undefined;
  const headerPort = named?.hostname === read(host)?.hostname ? named?.port : undefined;
  const connection = read(`${host}:${knownPort ?? agent?.options?.port ?? headerPort ?? ""}`);
  const target = /^https?:/i.test(path) ? readUrl(path) : undefined;
  return [connection, ...[named, target].filter((url) => url !== undefined)];
};

/** Fails a request at once, because its agent may provide a connection later, or never. */
const fail = (request: ClientRequest, error: Error): void => {
  const emit = request.emit.bind(request);
  // Drop what the agent emits later. The error follows a promise, because fake timers may replace ticks.
  request.emit = () => false;
  request.destroy(error);
  void Promise.resolve().then(() => {
    emit("error", error);
    emit("close");
  });
};

/** Checks a `ClientRequest` when it is created, and again when it gets its socket. */
const meetHttp = (judge: Judge, request: ClientRequest): void => {
  const { refusal, isForMock = false } = judge(urlsOf(request), request);
  if (refusal !== undefined) {
    fail(request, refusal);
    return;
  }
  request.prependOnceListener("socket", (socket: Socket) => {
    if (isSocketOfMsw(socket)) return;
    // The port may be known only when the connection opens. Before that, nothing is written.
    const check = (): void => {
      const { refusal: late } = judge(urlsOf(request, socket.remotePort), request, true);
      if (late === undefined) return;
      fail(request, late);
      socket.destroy();
    };
    if (socket.connecting && !isForMock) socket.prependOnceListener("connect", check);
    else check();
  });
};

const failUndici = (request: UndiciRequest, error: Error): void => {
  if (request.onResponseError !== undefined) request.onResponseError(error);
  else request.onError?.(error);
};

const urlsOfUndici = ({ origin, path, method }: UndiciRequest): readonly (URL | undefined)[] => {
  if (method === "CONNECT") return urlsOfTunnel(path);
  const connection = readUrl(`${origin}${path.startsWith("/") ? path : "/"}`);
  return /^https?:/i.test(path) ? [connection, readUrl(path)] : [connection];
};

/**
 * Watches all requests of this process on the diagnostics channels of Node and undici. These report
 * every function, agent and dispatcher, and replacing functions doesn't affect them.
 *
 * @returns Function that stops watching
 */
export const watchRequests = (judge: Judge): (() => void) => {
  const { subscribe, unsubscribe } = getBuiltin("node:diagnostics_channel");
  const watches: Readonly<Record<string, (message: never) => void>> = {
    "http.client.request.created": ({ request }: { readonly request: ClientRequest }) =>
      meetHttp(judge, request),
    "undici:request:create": ({ request }: { readonly request: UndiciRequest }) => {
      const { refusal } = judge(urlsOfUndici(request), request);
      if (refusal !== undefined) failUndici(request, refusal);
    },
  };
  const entries = Object.entries(watches);
  for (const [channel, watch] of entries) subscribe(channel, watch as never);
  return () => {
    for (const [channel, watch] of entries) unsubscribe(channel, watch as never);
  };
};
