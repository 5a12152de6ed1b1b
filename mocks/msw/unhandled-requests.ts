import type { RequestHandler } from "msw";
import { endpoints } from "../../src/contract/endpoint.ts";
import { markRefused } from "../guard/refused.ts";
import { artworkPath } from "../http/artwork.ts";
import { oneOf } from "../options/fields.ts";
import { requireFit } from "../options/require.ts";
import { failingAnswer } from "./deliver.ts";
import { mswHttp, passthrough } from "./installed-msw.ts";

/**
 * Treatment of a request to another origin than the service's that nothing handles. "error"
 * refuses it, and the test fails. "warn" sends it with a warning. "bypass" only sends it.
 */
export type OnUnhandled = "error" | "warn" | "bypass";

/** Base URL that counts as the service when the options name none. */
export const defaultBaseUrl = "https://ads.test";

/** A frame as MSW hands it over: a request, or a WebSocket that is being opened. */
export interface UnhandledFrame {
  readonly protocol: string;
  readonly data: unknown;
}

/** Judge of the requests that nothing handles. It lets none to the service's origin through. */
export type UnhandledRequests = ReturnType<typeof createUnhandledRequests>;

/** Writes a URL without user and query, because they may hold secrets. */
const writePlain = (url: string): string => {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};

/** Reads a URL without the dot that may end its host: `ads.test.` is `ads.test`. */
const readUrl = (text: string): URL => {
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
};

/** Makes an error like those of Node's sockets, because MSW answers 500 for any other. */
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

/** Paths of the API, with all that is below them: "/v1/jobs" and others. */
const apiPaths = [
  ...new Set(Object.values(endpoints).map(({ path }) => path.split("/").slice(0, 3).join("/"))),
];
const apiPattern = new RegExp(
  `(${[...apiPaths, artworkPath].join("|").replaceAll("/", "/+")})(/|$)`,
  "i",
);

const adviceForService = "Requests to the service: check their method and path, or handle them.";
const adviceWithoutBaseUrl =
  `${adviceForService} Without a baseUrl, ${apiPaths.slice(0, -1).join(", ")} and ` +
  `${apiPaths.at(-1)} of every origin count as the service.`;
const adviceForOthers =
  'Requests to other hosts: handle them yourself, or let all through with onUnhandled: "bypass".';

const adviceBesideServer =
  "Requests to other hosts: another MSW server listened before the mock, and gets nothing now. " +
  "Close it, and give its handlers to the mock: setupMockServer({ handlers: [...] }).";

const adviceForMocks =
  "Requests to another mock of this process: it does not get them. Use one mock.";

/** Makes MSW's answer to a request that nothing handles: it fails, or is sent when there is no error. */
export const answerUnhandled = (error: Error | undefined, refuse = failingAnswer): Response =>
  error === undefined ? passthrough() : refuse(error);

/**
 * Creates the judge of requests that nothing handles.
 *
 * @param pageHost - Host of the page in a browser. Requests for the page's own files are sent.
 * @param isForMock - Tells whether a request goes to the service of another mock. @default never
 */
export const createUnhandledRequests = (
  baseUrl: string | undefined,
  onUnhandled: OnUnhandled = "error",
  pageHost?: string,
  isForMock: (url: string) => boolean = () => false,
) => {
  requireFit("onUnhandled", oneOf(["error", "warn", "bypass"]), onUnhandled);
  const base = baseUrl === undefined ? undefined : readUrl(baseUrl);
  const ownAdvice = base === undefined ? adviceWithoutBaseUrl : adviceForService;
  let othersAdvice = adviceForOthers;
  const refused = new Map<string, { readonly count: number; readonly advice: string }>();

  const isForService = (url: string): boolean => {
    // WebSockets go to the same server.
    const asked = readUrl(url.replace(/^ws/, "http"));
    if (base === undefined) {
      return apiPattern.test(asked.pathname) || asked.origin === defaultBaseUrl;
    }
    return base.host === pageHost ? url.startsWith(`${baseUrl}/`) : asked.origin === base.origin;
  };

  /** Notes a request. Gives the error that it fails with; `undefined` when it may be sent. */
  const meet = (method: string, url: string): Error | undefined => {
    const call = `${method} ${writePlain(url)}`;
    const isMeant = isForService(url);
    if (!isMeant && new URL(url).host === pageHost) return undefined;
    const isStray = !isMeant && isForMock(url);
    if (!isMeant && !isStray && onUnhandled !== "error") {
      if (onUnhandled === "warn") console.warn(`The mock lets ${call} through`);
      return undefined;
    }
    const { count } = refused.get(call) ?? { count: 0 };
    const advice = isStray ? adviceForMocks : othersAdvice;
    refused.set(call, { count: count + 1, advice: isMeant ? ownAdvice : advice });
    return refusalOf(call, url);
  };

  const refuseUnlessLetThrough = (method: string, url: string): void => {
    const error = meet(method, url);
    if (error !== undefined) throw error;
  };

  return {
    meet,
    /** Notes that the mock has taken the place of another MSW server. */
    noteOtherServer: (): void => {
      othersAdvice = adviceBesideServer;
    },
    /** Tells whether a request goes to the service's origin. */
    isForService,
    /** Option of the same name for MSW 3. @throws the error that the request fails with */
    onUnhandledFrame: ({ frame }: { readonly frame: UnhandledFrame }): void =>
      refuseUnlessLetThrough(...describeFrame(frame)),
    /** The same for MSW 2, which names a WebSocket by a request. @throws as above */
    onUnhandledRequest: ({ method, url }: Request): void =>
      refuseUnlessLetThrough(url.startsWith("ws") ? "ws" : method, url),
    /**
     * Makes the last handler, which refuses requests to the service. MSW does not call
     * `onUnhandledFrame` when a handler matches and gives no answer, and would send the request.
     */
    createLastHandler: (refuse: (error: Error, request: Request) => Response): RequestHandler =>
      mswHttp.all(
        ({ request }) => isForService(request.url),
        ({ request }) =>
          answerUnhandled(meet(request.method, request.url), (error) => refuse(error, request)),
      ),
    /** Makes a last handler that judges every request: MSW 2 does not refuse those to others. */
    createLastHandlerForAll: (): RequestHandler =>
      mswHttp.all("*", ({ request }) => answerUnhandled(meet(request.method, request.url))),
    /** Forgets the noted requests. @throws Error that lists the refused ones, to fail the test */
    check: (): void => {
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
