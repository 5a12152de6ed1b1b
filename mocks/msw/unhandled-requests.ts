import type { RequestHandler } from "msw";
import { endpoints } from "../../src/contract/endpoint.ts";
import { markRefused } from "../guard/refused.ts";
import { artworkPath } from "../http/artwork.ts";
import { oneOf } from "../options/fields.ts";
import { requireFit } from "../options/require.ts";
import { failingAnswer } from "./deliver.ts";
import { mswHttp, passthrough } from "./installed-msw.ts";

/**
 * What to do with a request to another origin than the service's, if nothing handles it. "error"
 * refuses it, and the test fails. "warn" sends it and prints a warning. "bypass" sends it.
 */
export type OnUnhandled = "error" | "warn" | "bypass";

/** Base URL that counts as the service's if the options name none. */
export const defaultBaseUrl = "https://ads.test";

/** A frame, as MSW passes it: a request, or a WebSocket that is being opened. */
interface UnhandledFrame {
  readonly protocol: string;
  readonly data: unknown;
}

/** Decides about requests that nothing handles. It always refuses those to the service's origin. */
export type UnhandledRequests = ReturnType<typeof createUnhandledRequests>;

/** Removes user and query from a URL, because they may contain secrets. */
const writePlain = (url: string): string => {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};

/** Parses a URL, and removes a dot at the end of its host: `ads.test.` is `ads.test`. */
const readUrl = (text: string): URL => {
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
};

/** Creates an error like those of Node's sockets, because MSW answers any other error with 500. */
const refusalOf = (call: string, url: string): Error => {
  const error = new Error(`The mock refused ${call}: nothing handles it`);
  return markRefused(Object.assign(error, { code: "ERR_MOCK_UNHANDLED", errno: 0 }), url);
};

const describeFrame = ({ protocol, data }: UnhandledFrame): [method: string, url: string] => {
  const { request, connection } = data as {
    request?: Request;
    connection?: { client: { url: URL } };
  };
  return [request?.method ?? protocol, request?.url ?? String(connection?.client.url)];
};

/** The first two segments of the API's paths, such as "/v1/jobs". */
const apiPaths = [
  ...new Set(Object.values(endpoints).map(({ path }) => path.split("/").slice(0, 3).join("/"))),
];
const apiPattern = new RegExp(
  `(${[...apiPaths, artworkPath].join("|").replaceAll("/", "/+")})(/|$)`,
  "i",
);

const advice =
  "Requests to the service: check their method and path, or handle them. Without a baseUrl, " +
  `${apiPaths.join(", ")} of every origin count as the service.\n` +
  "Requests to other hosts: give handlers for them to the mock, because another MSW server or mock " +
  'gets nothing while it listens; or let all through with onUnhandled: "bypass".';

/** Creates MSW's answer to a request that nothing handles. Without an error, the request is sent. */
export const answerUnhandled = (error: Error | undefined, refuse = failingAnswer): Response =>
  error === undefined ? passthrough() : refuse(error);

/**
 * Creates the rules for requests that nothing handles.
 *
 * @param pageHost - Host of the page in a browser. Requests for the page's own files are sent
 * @param isForMock - Returns whether a request goes to the service of another mock. @default never
 */
export const createUnhandledRequests = (
  baseUrl: string | undefined,
  onUnhandled: OnUnhandled = "error",
  pageHost?: string,
  isForMock: (url: string) => boolean = () => false,
) => {
  requireFit("onUnhandled", oneOf(["error", "warn", "bypass"]), onUnhandled);
  const base = baseUrl === undefined ? undefined : readUrl(baseUrl);
  /** Number of times that each request was refused. */
  const refused = new Map<string, number>();

  const isForService = (url: string): boolean => {
    // A WebSocket goes to the same server as a request, so compare its URL as an http URL.
    const asked = readUrl(url.replace(/^ws/, "http"));
    if (base === undefined) {
      return apiPattern.test(asked.pathname) || asked.origin === defaultBaseUrl;
    }
    return base.host === pageHost ? url.startsWith(`${baseUrl}/`) : asked.origin === base.origin;
  };

  /** Returns the error with which a request fails, and notes it; `undefined` if it may be sent. */
  const meet = (method: string, url: string): Error | undefined => {
    const call = `${method} ${writePlain(url)}`;
    const isMeant = isForService(url);
    if (!isMeant && new URL(url).host === pageHost) return undefined;
    if (!isMeant && !isForMock(url) && onUnhandled !== "error") {
      if (onUnhandled === "warn") console.warn(`The mock lets ${call} through`);
      return undefined;
    }
    refused.set(call, 1 + (refused.get(call) ?? 0));
    return refusalOf(call, url);
  };

  const refuseUnlessLetThrough = (method: string, url: string): void => {
    const error = meet(method, url);
    if (error !== undefined) throw error;
  };

  return {
    meet,
    /** Returns whether a request goes to the service's origin. */
    isForService,
    /** The option `onUnhandledFrame` of MSW 3. @throws the error with which the request fails */
    onUnhandledFrame: ({ frame }: { readonly frame: UnhandledFrame }): void =>
      refuseUnlessLetThrough(...describeFrame(frame)),
    /** The option of MSW 2, which also gets WebSockets. @throws the error with which the request fails */
    onUnhandledRequest: ({ method, url }: Request): void =>
      refuseUnlessLetThrough(url.startsWith("ws") ? "ws" : method, url),
    /**
     * Creates the last handler, which decides about every request. If a handler matches but gives no
     * answer, MSW sends the request without calling `onUnhandledFrame`, and MSW 2 sends those to other hosts.
     */
    createLastHandler: (refuse?: (error: Error) => Response): RequestHandler =>
      mswHttp.all("*", ({ request }) => answerUnhandled(meet(request.method, request.url), refuse)),
    /** Forgets the refused requests. @throws Error that lists them, so that the test fails */
    check: (): void => {
      if (refused.size === 0) return;
      const calls = [...refused].map(
        ([call, count]) => `  ${call}${count > 1 ? ` (${count} times)` : ""}`,
      );
      refused.clear();
      const title = "Nothing handles these requests, so the mock refused them:";
      throw new Error([title, ...calls, advice].join("\n"));
    },
  };
};
