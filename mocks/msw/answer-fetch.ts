import type { RequestHandler } from "msw";
import { letOut } from "../guard/guard.ts";
import { bypass, getResponse, isPassthrough } from "./installed-msw.ts";

/** How calls of `fetch` are answered. */
export interface FetchAnswers {
  /** Tells whether a request is answered here. All others go on to the `fetch` behind. */
  readonly isOurs: (url: string) => boolean;
  /** Answers a request from handlers; MSW's `passthrough()` lets it out. */
  readonly answer: (request: Request) => Promise<Response>;
  /** The `fetch` behind, which is MSW's where MSW has one. */
  readonly behind: typeof fetch;
}

/** Answers a request from handlers of MSW; those for WebSockets are left out. */
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

/** Treats what a handler throws as MSW does. */
const answerThrown = (thrown: unknown): Response => {
  if (thrown instanceof Response) return thrown;
  if (isSocketError(thrown)) throw failed(thrown);
  console.error(thrown);
  const { name, message, stack } =
    thrown instanceof Error ? thrown : { name: "Error", message: String(thrown), stack: undefined };
  const init = { status: 500, statusText: "Unhandled Exception" };
  return Response.json({ name, message, stack }, init);
};

/** Waits for an answer, and rejects when its request aborts. */
const untilAborted = async <Value>(request: Request, pending: Promise<Value>): Promise<Value> => {
  const { signal } = request;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([pending, aborted]);
  } finally {
    // The request must outlive the wait: one that is garbage-collected aborts no signal.
    request.signal.removeEventListener("abort", abort);
  }
};

/** Gives a body that breaks off when its request aborts. */
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

/** Makes of a handler's answer what `fetch` would make of it. */
const received = (response: Response, request: Request): Response => {
  const { status, statusText, headers } = response;
  const { body } = response;
  const init = { status, statusText, headers };
  const answer = new Response(body === null ? null : bodyOf(body, request), init);
  return Object.defineProperty(answer, "url", { value: request.url });
};

/** Tells whether a request asks MSW by `bypass()` to let it out. */
const asksForTheNetwork = ({ headers }: Request): boolean =>
  headers.get("accept")?.includes("msw/passthrough") === true;

/** Reads a status. That of a failing answer throws the error that the request is to fail with. */
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
  // Handlers may read the body; a request that is let out needs it.
  const pending = answers.answer(request.clone()).catch(answerThrown);
  const response = await untilAborted(request, pending);
  requireAnswer(response);
  if (isPassthrough(response)) return letOut(() => answers.behind(bypass(request)));
  return received(response, request);
};

/**
 * Answers a call of `fetch` from handlers, without a socket. MSW 3 intercepts a connection when it
 * is opened, so it misses the requests of one that `fetch` has kept. It also needs real ticks, and
 * hands each request to the server that has listened last.
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
  // The `fetch` behind refuses a URL that cannot be read.
  if (url === undefined || !/^https?:/.test(url) || !answers.isOurs(url)) {
    return answers.behind(input, init);
  }
  return answerRequest(answers, new Request(input instanceof Request ? input : url, init));
};
