/** One request to a mock server, and the words for a server that is not reached. */
import { isRecord } from "../../options/require.ts";

/** Methods of the admin. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Fields of a query or of a JSON body; those that are `undefined` are left out. */
export type Fields = Readonly<Record<string, unknown>>;

/** Answer of a server that was reached. */
export interface Answer {
  readonly status: number;
  /** Body as JSON; `undefined` when it is none. */
  readonly body: unknown;
}

/** Function that sends a request, as the global `fetch` does. */
type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

/** Writes a body. The admin reads "Infinity"; JSON alone would write `null` for `NaN` too. */
const writeBody = (fields: Fields): string => {
  const written = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "number" && !Number.isFinite(value) ? String(value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(written));
};

const writeQuery = (fields: Fields): string => {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Finds the reason of a connection that failed. In Node it stands in the `cause`. */
const reasonOf = (error: unknown): string => {
  const reason = isRecord(error) && isRecord(error["cause"]) ? error["cause"] : error;
  return isRecord(reason) ? String(reason["message"] || reason["code"]) : String(reason);
};

/** Makes the function that sends requests to a server; it gives an error when none answers. */
export const createReach = (url: string, send: SendRequest, timeoutMs: number) => {
  const describeFailure = (call: string, error: unknown): string => {
    if (isRecord(error) && error["name"] === "TimeoutError") {
      return `The mock server at ${url} has not answered ${call} within ${timeoutMs} ms`;
    }
    const pages = "document" in globalThis ? " Pages of other origins cannot reach it." : "";
    return (
      `No mock server answers at ${url}: ${reasonOf(error)}. Start one by ` +
      "`npx -p adgen-sdk adgen-mock`, or by startMockServer of adgen-sdk/mocks/server." +
      pages
    );
  };

  return async (method: Method, path: string, fields: Fields = {}): Promise<Answer | Error> => {
    const hasBody = method === "POST" || method === "PUT";
    const place = `/__mock/${path}`;
    // Outside of `try`: what cannot be written is the caller's mistake.
    const asked = hasBody ? "" : writeQuery(fields);
    const sent = hasBody && {
      body: writeBody(fields),
      headers: { "content-type": "application/json" },
    };
    try {
      const response = await send(url + place + asked, {
        method,
        // A mock server redirects nothing. Another server must not lead a call to a third one.
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
        ...sent,
      });
      return { status: response.status, body: readJson(await response.text()) };
    } catch (cause) {
      return new Error(describeFailure(`${method} ${place}`, cause), { cause });
    }
  };
};
