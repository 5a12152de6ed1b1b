export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The unparsed body. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a JavaScript user would
  readonly data: any;
  readonly error: string | null;
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<Answered>;

export const read = async (response: Response): Promise<Answered> => {
  const text = await response.text();
  const { data, error } = JSON.parse(text);
  return { status: response.status, headers: response.headers, text, data, error };
};

/** A service, or anything else with a `fetch`. */
interface Answering {
  readonly fetch: (url: string, init: RequestInit) => Response | Promise<Response>;
}

/** Looks up the global `fetch` at each call, because MSW may replace it. */
export const globalFetch = {
  fetch: (input: Request | string | URL, init?: RequestInit) => fetch(input, init),
};

/** Creates a function that sends requests with this key to paths below an origin. */
export const createAsk =
  ({ fetch }: Answering, key = "test-key", origin = "https://ads.test"): Ask =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    return read(await fetch(origin + path, { method, headers, ...init }));
  };

export const failure = (error: string): string =>
  JSON.stringify({ success: false, data: null, error });
