export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The body, as it was sent. */
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

/** A service, or another thing with a `fetch` of its own. */
interface Answering {
  readonly fetch: (url: string, init: RequestInit) => Response | Promise<Response>;
}

/** The global `fetch` of the moment: MSW puts its own in the place of it. */
export const globalFetch = {
  fetch: (input: Request | string | URL, init?: RequestInit) => fetch(input, init),
};

/** Makes plain requests with one key, to paths below an origin. */
export const createAsk =
  ({ fetch }: Answering, key = "test-key", origin = "https://ads.test"): Ask =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    return read(await fetch(origin + path, { method, headers, ...init }));
  };

export const failure = (error: string): string =>
  JSON.stringify({ success: false, data: null, error });
