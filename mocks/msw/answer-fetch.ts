import type { RequestHandler } from "msw";
import { letOut } from "../guard/guard.ts";
import { untilAborted } from "../http/read-request.ts";
import { bypass, getResponse, isPassthrough } from "./installed-msw.ts";

/** How calls of `fetch` are answered. */
export interface FetchAnswers {
  /** Returns whether a request is answered here. All others go to the `fetch` behind. */
  readonly isOurs: (url: string) => boolean;
  /** Answers a request by the handlers. MSW's `passthrough()` lets it out. */
  readonly answer: (request: Request) => Promise<Response>;
  /** The `fetch` that was replaced: MSW's, if MSW has replaced the runtime's. */
  readonly behind: typeof fetch;
}

/** Answers a request by MSW's handlers, except those for WebSockets. */
export const answerFrom = (
  handlers: readonly { readonly kind: string }[],
  request: Request,
): Promise<Response | undefined> => {
  const ofRequests = handlers.filter(({ kind }) => kind === "request");
  return getResponse(ofRequests as RequestHandler[], request);
};

const failed = (cause: unknown): TypeError => new TypeError("fetch failed", { cause });

const isSocketError = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && "errno" in thrown;

/** Handles what a handler throws, as MSW does. */
const answerThrown = (thrown: unknown): Response => {
  if (thrown instanceof Response) return thrown;
  if (isSocketError(thrown)) throw failed(thrown);
  console.error(thrown);
  const { name, message, stack } = Object(thrown);
  return Response.json(
    { name, message, stack },
    { status: 500, statusText: "Unhandled Exception" },
  );
};

/** Returns a body that breaks off when its request aborts. */
const bodyOf = (body: ReadableStream<Uint8Array>, request: Request): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  return new ReadableStream({
    start: (controller) => {
      request.signal.addEventListener("abort", () => {
        controller.error(request.signal.reason);
        reader.cancel(request.signal.reason).catch(() => {});
      });
    },
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (request.signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

/** Turns a handler's answer into what `fetch` returns. */
const received = (response: Response, request: Request): Response => {
  const { status, statusText, headers, body } = response;
  const init = { status, statusText, headers };
  const answer = new Response(body === null ? null : bodyOf(body, request), init);
  return Object.defineProperty(answer, "url", { value: request.url });
};

/** Returns whether MSW's `bypass()` has marked a request, which must then be let out. */
const asksForTheNetwork = ({ headers }: Request): boolean =>
  headers.get("accept")?.includes("msw/passthrough") === true;

/** Throws if an answer is an error. Reading the status of a `failingAnswer` throws its error. */
const requireAnswer = (response: Response): void => {
  try {
    if (response.status !== 0) return;
  } catch (error) {
    throw failed(error);
  }
  throw failed(response);
};

const answerRequest = async (answers: FetchAnswers, request: Request): Promise<Response> => {
  if (asksForTheNetwork(request)) return letOut(() => answers.behind(request));
  if (request.signal.aborted) throw request.signal.reason;
  // A handler may read the body, but a request that is let out still needs it.
  const pending = answers.answer(request.clone()).catch(answerThrown);
  const response = await untilAborted(request, pending);
  requireAnswer(response);
  if (isPassthrough(response)) return letOut(() => answers.behind(bypass(request)));
  return received(response, request);
};

/**
 * Answers a call of `fetch` by handlers, without a socket. MSW 3 intercepts connections as they are
 * opened, so it would miss requests on a connection that `fetch` has kept. It also needs real ticks,
 * and gives each request to the server that listened last.
 */
export const fetchThrough = async (
  answers: FetchAnswers,
  input: Parameters<typeof fetch>[0],
  given?: RequestInit | null,
): Promise<Response> => {
  // `fetch` takes null for no options, but the `Request` that MSW puts in place throws.
  const init = given ?? undefined;
  const text = input instanceof Request ? input.url : String(input);
  const page = globalThis.location?.href;
  const url = URL.canParse(text, page) ? new URL(text, page).href : undefined;
  // An invalid URL goes to the `fetch` behind, which refuses it.
  if (url === undefined || !/^https?:/.test(url) || !answers.isOurs(url)) {
    return answers.behind(input, init);
  }
  return answerRequest(answers, new Request(input instanceof Request ? input : url, init));
};
