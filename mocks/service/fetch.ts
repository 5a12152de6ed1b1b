import { notSentKey } from "../../src/contract/not-sent.ts";
import { replyToPreflight } from "../http/cors.ts";
import { pause, respond } from "../http/delivery.ts";
import { readRequest, toRequest } from "../http/read-request.ts";
import type { MockReply, ReadRequest } from "../http/reply.ts";

/** Makes the error that the global `fetch` of Node rejects with. */
const connectionError = (message: string, cause: string, code: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(cause), { code }) });

/**
 * Makes the error of a refused connection. The mark tells the client that the request never left:
 * the code alone proves it of the global `fetch` only.
 */
const connectionRefusal = (url: string): TypeError =>
  Object.defineProperty(
    connectionError("fetch failed", "connect ECONNREFUSED", "ECONNREFUSED"),
    notSentKey,
    { value: url },
  );

/**
 * Requests that are under way. A `Request` that is garbage-collected never aborts its signal, so
 * this set holds it.
 */
const underWay = new Set<Request>();

/** Holds a request until something has ended. */
const holding = async <Value>(request: Request, ending: Promise<Value>): Promise<Value> => {
  underWay.add(request);
  try {
    return await ending;
  } finally {
    underWay.delete(request);
  }
};

/**
 * Delivers a reply in this process, as `fetch` brings it, faults included.
 *
 * @throws TypeError as `fetch` does, when the connection is to break; the signal's reason when it aborts
 */
const deliver = (reply: MockReply, request: Request): Response | Promise<Response> => {
  const { signal, url } = request;
  return respond(reply, () => ({
    wait: (ms, left) =>
      holding(
        request,
        pause(
          ms,
          [signal, left].filter((each) => each !== undefined),
        ),
      ),
    rejectConnection: (how) => {
      if (how === "refuse") throw connectionRefusal(url);
      throw connectionError("fetch failed", "read ECONNRESET", "ECONNRESET");
    },
    rejectAborted: () => {
      throw signal.reason;
    },
    bodyError: () =>
      signal.aborted
        ? signal.reason
        : connectionError("terminated", "other side closed", "UND_ERR_SOCKET"),
  }));
};

/** Makes the `fetch` of a service from the function that answers a request that has been read. */
export const createFetch =
  (answer: (read: ReadRequest) => MockReply, baseUrl: string | undefined) =>
  async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const { request, text } = toRequest(input, init, baseUrl);
    const preflight = replyToPreflight(request);
    if (preflight !== undefined) return deliver(preflight, request);
    const read = await holding(request, readRequest(request, text));
    // An abort right after the call comes before a body that needs no reading.
    if (request.signal.aborted) throw request.signal.reason;
    return deliver(answer(read), request);
  };
