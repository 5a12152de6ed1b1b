import { requireOneOf } from "../../options/require.ts";

/**
 * What becomes of a request to another origin than the service's that nothing handles: refused,
 * and the test fails; sent, with a warning; or just sent.
 */
export type OnUnhandled = "error" | "warn" | "bypass";

/** Where the fixtures' clients find the service, unless they are told otherwise. */
export const usualBaseUrl = "https://ads.test";

/** What MSW hands over: a request, or a WebSocket that is being opened. */
export interface UnhandledFrame {
  readonly protocol: string;
  readonly data: unknown;
}

/** Requests that nothing handles: none to the service's origin gets past this. */
export interface UnhandledRequests {
  /** Whether the service is meant, which alone may answer there. */
  isForService(url: string): boolean;
  /** Gives the error that the request is to fail with; `undefined` when it may be sent. */
  meet(method: string, url: string): Error | undefined;
  /** For MSW's `onUnhandledFrame`. @throws the error that the request is to fail with */
  readonly onUnhandledFrame: (unhandled: { frame: UnhandledFrame }) => void;
  /** Forgets what it met. @throws Error that lists it, for the test to fail with */
  check(): void;
}

/** Without user and query: they may hold secrets. */
const plain = (url: string): string => {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};

/** Looks like an error of Node's sockets: MSW makes others an answer with status 500. */
const refusalOf = (call: string): Error =>
  Object.assign(new Error(`The mock refused ${call}: nothing handles it`), {
    code: "ERR_MOCK_UNHANDLED",
    errno: 0,
  });

const describeFrame = ({ protocol, data }: UnhandledFrame): [method: string, url: string] => {
  const { request, connection } = data as {
    request?: Request;
    connection?: { client: { url: URL } };
  };
  return [request?.method ?? protocol, request?.url ?? String(connection?.client.url)];
};

const adviceForService = "To the service: look at the method and the path, or handle it yourself.";
const adviceForOthers =
  'To others: handle it yourself, or let all of them through with onUnhandled: "bypass".';

/** @param pageHost - In a browser, where the page itself comes from: what it loads is no call. */
export const createUnhandledRequests = (
  baseUrl: string | undefined,
  onUnhandled: OnUnhandled = "error",
  pageHost?: string,
): UnhandledRequests => {
  requireOneOf("onUnhandled", onUnhandled, ["error", "warn", "bypass"]);
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  const refused = new Map<string, { readonly count: number; readonly advice: string }>();

  const isForService = (url: string): boolean => {
    // A WebSocket goes to the same server.
    const asked = new URL(url.replace(/^ws/, "http"));
    if (base === undefined) {
      return asked.pathname.includes("/v1/") || asked.origin === usualBaseUrl;
    }
    return base.host === pageHost ? url.startsWith(`${baseUrl}/`) : asked.origin === base.origin;
  };

  const meet: UnhandledRequests["meet"] = (method, url) => {
    const call = `${method} ${plain(url)}`;
    const isMeant = isForService(url);
    if (!isMeant && new URL(url).host === pageHost) return undefined;
    if (!isMeant && onUnhandled !== "error") {
      if (onUnhandled === "warn") console.warn(`The mock lets ${call} through`);
      return undefined;
    }
    const { count } = refused.get(call) ?? { count: 0 };
    refused.set(call, { count: count + 1, advice: isMeant ? adviceForService : adviceForOthers });
    return refusalOf(call);
  };

  return {
    isForService,
    meet,
    onUnhandledFrame: ({ frame }) => {
      const error = meet(...describeFrame(frame));
      if (error !== undefined) throw error;
    },
    check: () => {
      if (refused.size === 0) return;
      const calls = [...refused].map(
        ([call, { count }]) => `  ${call}${count > 1 ? ` (${count} times)` : ""}`,
      );
      const advice = new Set([...refused.values()].map((request) => request.advice));
      refused.clear();
      const title = "Nothing handles these requests, so the mock refused them:";
      throw new Error([title, ...calls, ...advice].join("\n"));
    },
  };
};
