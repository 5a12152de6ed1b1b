import { getBuiltin } from "./runtime.ts";

type Http = ReturnType<typeof getBuiltin<"node:http">>;
type ClientRequest = InstanceType<Http["ClientRequest"]>;
type Socket = NonNullable<ClientRequest["socket"]>;

/** The guard's judgement of a request that is about to be sent. */
export interface Judgement {
  readonly url?: URL | undefined;
  readonly refusal?: Error | undefined;
  /** A mock that listens answers it, by MSW. */
  readonly isForMock?: boolean;
}

/**
 * Judges a request by each URL that it may be for; `undefined` is an address that no URL can have.
 *
 * @param hasOtherSocket - The request is to be written to a socket that MSW does not have
 */
export type Judge = (
  urls: readonly (URL | undefined)[],
  request: object,
  hasOtherSocket?: boolean,
) => Judgement;

/** A request of undici's core. Undici 8 has another name for the method that tells of an error. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  onError?(error: Error): void;
  onResponseError?(error: Error): void;
}

/**
 * Returns whether MSW gets what is written to a socket. MSW 3 marks the sockets that it watches. MSW 2
 * creates them itself, as nock does; so beside MSW 3, such a socket belongs to nock.
 */
const isSocketOfMsw = (socket: object): boolean =>
  "__MSW_INTERCEPTORS_REGISTRY" in globalThis
    ? Object.getOwnPropertySymbols(socket).some(({ description }) => description === "kPatched")
    : "respondWith" in socket;

/** The options of an agent that say where it connects to; they win over those of a request. */
interface Where {
  readonly host?: string;
  readonly port?: number | string;
}

const parse = (url: string): URL | undefined => URL.parse(url) ?? undefined;

/**
 * Lists the URLs that a request of `node:http` may be for. Its connection says where it goes. A
 * Host header or an absolute path can name another: a proxy, or the server there, sends it on.
 *
 * @param knownPort - Port of the connection, once it is open
 */
const urlsOf = (request: ClientRequest, knownPort?: number): readonly (URL | undefined)[] => {
  const { protocol, path, method } = request;
  if (method === "CONNECT") return [parse(`https://${path}`)];
  const { agent } = request as unknown as { readonly agent?: { readonly options?: Where } };
  const read = (host: string): URL | undefined => {
    const url = parse(`${protocol}//${host}${path.startsWith("/") ? path : "/"}`);
    // Node says port 80 where no agent names a default.
    if (url?.protocol === "https:" && url.port === "80") url.port = "";
    return url;
  };
  const name = agent?.options?.host ?? request.host;
  const host = name.includes(":") ? `[${name}]` : name;
  const header = request.getHeader("host");
  const named = typeof header === "string" ? read(header) : undefined;
  const headerPort = named?.hostname === read(host)?.hostname ? named?.port : undefined;
  const connection = read(`${host}:${knownPort ?? agent?.options?.port ?? headerPort ?? ""}`);
  const target = /^https?:/i.test(path) ? parse(path) : undefined;
  return [connection, ...[named, target].filter((url) => url !== undefined)];
};

/** Lets a request fail at once. Its agent may bring a connection later, or never. */
const fail = (request: ClientRequest, error: Error): void => {
  const emit = request.emit.bind(request);
  // What the agent tells later comes too late. Not in a tick: fake timers may stand in its place.
  request.emit = () => false;
  request.destroy(error);
  void Promise.resolve().then(() => {
    emit("error", error);
    emit("close");
  });
};

/** Answers `Expect: 100-continue`, which MSW does not: the client sends its body then. */
const tellToContinue = (request: ClientRequest): void => {
  if (/100-continue/i.test(String(request.getHeader("expect")))) {
    setImmediate(() => request.emit("continue"));
  }
};

/** Meets each `ClientRequest` when it has been made, and again when its socket is there. */
const meetHttp = (judge: Judge, request: ClientRequest): void => {
  const { refusal, isForMock } = judge(urlsOf(request), request);
  if (refusal !== undefined) {
    fail(request, refusal);
    return;
  }
  const isFromMock = isForMock === true;
  request.prependOnceListener("socket", (socket: Socket) => {
    if (isSocketOfMsw(socket)) {
      if (isFromMock) tellToContinue(request);
      return;
    }
    // A Host header can hide the port until the connection is open; nothing is written before.
    const check = (): void => {
      const { refusal: late } = judge(urlsOf(request, socket.remotePort), request, true);
      if (late === undefined) return;
      fail(request, late);
      socket.destroy();
    };
    if (socket.connecting && !isFromMock) socket.prependOnceListener("connect", check);
    else check();
  });
};

const failUndici = (request: UndiciRequest, error: Error): void => {
  if (request.onResponseError !== undefined) request.onResponseError(error);
  else request.onError?.(error);
};

const urlsOfUndici = ({ origin, path, method }: UndiciRequest): readonly (URL | undefined)[] => {
  if (method === "CONNECT") return [parse(`https://${path}`)];
  const connection = parse(`${origin}${path.startsWith("/") ? path : "/"}`);
  return /^https?:/i.test(path) ? [connection, parse(path)] : [connection];
};

/**
 * Watches each request of this process at the diagnostics channels of Node and of undici, whichever
 * function, agent or dispatcher sends it: no assignment undoes them. Returns the way to stop.
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
