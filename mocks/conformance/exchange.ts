/** A request, as plain data. */
export interface Question {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer, as plain data. */
export interface Reply {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One answer, read. */ /** An answer, read. */
export interface Answer {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any service are looked into
  readonly data: any;
  readonly error: unknown;
  /** Values that earlier steps have remembered, by name. */
  readonly memory: Readonly<Record<string, string>>;
}

/** Sends one request; rejects when there is no answer in time. */
export type AskService = (question: Question) => Promise<Reply>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The JSON of a text; `undefined` when it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const readAnswer = (
  { status, headers, body }: Reply,
  memory: Answer["memory"] = {},
): Answer => {
  const envelope = parseJson(body);
  const { data, error } = isRecord(envelope) ? envelope : {};
  return { status, headers, data, error, memory };
};

/** Sends by any `fetch`: the face that is asked. */
export const askBy =
  (
    send: (input: string, init: RequestInit) => Promise<Response>,
    baseUrl: string,
    init: () => RequestInit = () => ({}),
  ): AskService =>
  async ({ method, path, headers, body }) => {
    const response = await send(baseUrl + path, {
      ...init(),
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
