import { notSentKey } from "../../src/contract/not-sent.ts";
import { replyToPreflight } from "../http/cors.ts";
import { pause, respond } from "../http/delivery.ts";
import { readPlainRequest } from "../http/plain-request.ts";
import { readRequest, toRequest } from "../http/read-request.ts";
import type { MockReply, ReadRequest } from "../http/reply.ts";

/** Creates the error with which Node's global `fetch` rejects. */
const connectionError = (message: string, cause: string, code: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(cause), { code }) });

/**
 * Creates the error of a refused connection. The mark tells the client that the request never left,
 * because it believes the error's code only from the global `fetch`.
 */
const connectionRefusal = (url: string): TypeError =>
  Object.defineProperty(
    connectionError("fetch failed", "connect ECONNREFUSED", "ECONNREFUSED"),
    notSentKey,
    { value: url },
  );

/** The parts of a request that its delivery needs. */
interface Sent {
  readonly url: string | URL;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests in progress. A `Request` that is garbage-collected never aborts its signal, so this set
 * keeps them alive.
 */
const underWay = new Set<Sent>();

/** Keeps a request alive until a promise settles. */
const holding = async <Value>(request: Sent, ending: Promise<Value>): Promise<Value> => {
  underWay.add(request);
  try {
    return await ending;
  } finally {
    underWay.delete(request);
  }
};

/**
 * Delivers a reply, with its faults, as `fetch` would.
 *
 * @throws TypeError when the fault breaks the connection
 * @throws the signal's reason when it aborts
 */
const deliver = (reply: MockReply, request: Sent): Response | Promise<Response> => {
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
      if (how === "refuse") throw connectionRefusal(String(url));
      throw connectionError("fetch failed", "read ECONNRESET", "ECONNRESET");
    },
    rejectAborted: () => {
      throw signal?.reason;
    },
    bodyError: () =>
      signal?.aborted
        ? signal.reason
        : connectionError("terminated", "other side closed", "UND_ERR_SOCKET"),
  }));
};

/** Creates the `fetch` of a service. */
export const createFetch = (
  answer: (read: ReadRequest) => MockReply,
  baseUrl: string | undefined,
) => {
  // The signal may have aborted right after the call, while there was no body to wait for.
  const answerUnlessAborted = (read: ReadRequest, request: Sent) => {
    if (request.signal?.aborted) throw request.signal.reason;
    return deliver(answer(read), request);
  };
  return async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const plain = readPlainRequest(input, init);
    if (plain !== undefined) return answerUnlessAborted(await plain, plain);
    const request = toRequest(input, init, baseUrl);
    const preflight = replyToPreflight(request);
    if (preflight !== undefined) return deliver(preflight, request);
    return answerUnlessAborted(await holding(request, readRequest(request)), request);
  };
};
