/** The way to one mock server: its admin, by JSON over HTTP. */
import type { Envelope } from "../../../src/contract/envelope.ts";
import { maxTimerMs } from "../../faults/limits.ts";
import { isRecord, refusal, requireKnown } from "../../options/require.ts";
import type { routes } from "../server/admin/routes.ts";
import { placeOf, type RouteId } from "./places.ts";

/** Options of `connectMock`. */
export interface ConnectOptions {
  /**
   * Function that sends the requests.
   * @default the global `fetch` at the time of `connectMock`, whatever replaces it later
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds that one call may take, more than zero. @default 10000 */
  readonly timeoutMs?: number;
}

/** Fields of a call: parts of its path, and its query or JSON body. `undefined` ones are left out. */
type Fields = Readonly<Record<string, unknown>>;

/** Data in the answer of a route: what its row gives, as JSON. */
type AnswerOf<Id extends RouteId> = Exclude<
  Awaited<ReturnType<(typeof routes)[Id]["answer"]>>,
  Response
>;

/** Error of a call that no server has answered. */
class Unreachable extends Error {}

/** Milliseconds between two tries to reach a server that does not answer yet. */
const retryEveryMs = 50;

/** Writes a part of a path. @throws Error for a part that would lead the call to another route */
const writePart = (part: string): string => {
  if (part !== "." && part !== "..") return encodeURIComponent(part);
  throw new Error(`The mock server cannot be asked about "${part}": a URL takes it for a folder`);
};

/** The admin reads "Infinity"; JSON alone would write `null` for it, and for `NaN` too. */
const writeNumber = (value: unknown): unknown =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

/** Writes one request: its name for messages, and its path with its query. */
const writeCall = (id: RouteId, given: Fields) => {
  const { method, path } = placeOf(id);
  const place = path.replace(/:(\w+)/g, (_, part: string) => writePart(String(given[part])));
  const fields = Object.entries(given).filter(
    ([field, value]) => value !== undefined && !path.includes(`:${field}`),
  );
  const name = `${method} ${place}`;
  if (method === "POST" || method === "PUT") {
    const headers = { "content-type": "application/json" };
    const written = fields.map(([field, value]) => [field, writeNumber(value)]);
    const body = JSON.stringify(Object.fromEntries(written));
    return { name, target: place, init: { method, headers, body } };
  }
  const query = new URLSearchParams(fields.map(([field, value]) => [field, String(value)]));
  return { name, target: fields.length === 0 ? place : `${place}?${query}`, init: { method } };
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

/** Reads the URL of a server; the URL of its page will do, too. */
const resolveUrl = (given: string | URL): string => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refusal("URL", `absolute, such as http://127.0.0.1:4471; it is "${given}"`);
  }
  return url.origin + url.pathname.replace(/(\/__mock)?\/*$/, "");
};

/** Checks a number of milliseconds. @throws TypeError when no timer can run for them */
const requireMs = (ms: number, isFit: boolean, least: string): number => {
  if (Number.isFinite(ms) && isFit && ms <= maxTimerMs) return ms;
  const most = maxTimerMs.toLocaleString("en");
  throw refusal("timeoutMs", `milliseconds, ${least}, at most ${most}; it is ${ms}`);
};

const isEnvelope = (body: unknown): body is Envelope =>
  isRecord(body) && typeof body["success"] === "boolean";

/** The way to a mock server. */
export interface Connection {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** Calls a route of the admin. @throws Error with the server's words when it refuses */
  ask<Id extends RouteId>(id: Id, fields?: Fields): Promise<AnswerOf<Id>>;
  /** Calls a route about something that may be missing: gives `undefined` for a 404. */
  askForOne<Id extends RouteId>(id: Id, fields?: Fields): Promise<AnswerOf<Id> | undefined>;
  /** Calls a route, and gives nothing back. */
  tell(id: RouteId, fields?: Fields): Promise<void>;
  /** Waits until a server answers, for so many milliseconds. @throws Error when none does */
  ready(limitMs: number): Promise<void>;
}

/**
 * Opens the way to a mock server; nothing is sent yet.
 *
 * @throws TypeError when the URL or an option makes no sense
 */
export const createConnection = (given: string | URL, options: ConnectOptions): Connection => {
  requireKnown("connection's options", ["fetch", "timeoutMs"], options);
  const { fetch: send = globalThis.fetch, timeoutMs: givenMs = 10_000 } = options;
  const url = resolveUrl(given);
  const timeoutMs = Math.ceil(requireMs(givenMs, givenMs > 0, "more than zero"));

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

  /** Sends one request; a body that is no JSON becomes `undefined`. @throws Unreachable when no server answers */
  const reach = async ({ name, target, init }: ReturnType<typeof writeCall>) => {
    // A mock server redirects nothing. Another server must not lead a call to a third one.
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(url + target, { ...init, redirect: "manual", signal });
      return { status: response.status, body: readJson(await response.text()) };
    } catch (cause) {
      throw new Unreachable(describeFailure(name, cause), { cause });
    }
  };

  const refuseStranger = (call: string, status: number, body: unknown): Error => {
    const words = isEnvelope(body) && body.error !== null ? `: ${body.error}` : "";
    return new Error(
      `${url} is no mock server that can be steered: it answered ${call} with ${status}${words}. ` +
        "connectMock takes the URL that adgen-mock prints, or the url of startMockServer.",
    );
  };

  const askWhoIsThere = async (): Promise<void> => {
    const call = writeCall("readClock", {});
    const { status, body } = await reach(call);
    const isMock = isEnvelope(body) && body.success && isRecord(body.data) && "now" in body.data;
    if (status !== 200 || !isMock) throw refuseStranger(call.name, status, body);
  };

  /** The first answer, which later calls need not ask for again. */
  let meeting: Promise<void> | undefined;

  /** Makes sure that a mock server is there: no other one may get a call that changes something. */
  const meet = (): Promise<void> => {
    meeting ??= askWhoIsThere().catch((error) => {
      meeting = undefined;
      throw error;
    });
    return meeting;
  };

  const exchange = async (id: RouteId, fields: Fields = {}) => {
    const call = writeCall(id, fields);
    await meet();
    const { status, body } = await reach(call);
    if (!isEnvelope(body)) throw refuseStranger(call.name, status, body);
    if (body.success) return { data: body.data };
    return { isMissing: status === 404, error: new Error(body.error) };
  };

  /** Calls a route of the admin. @throws Error with the server's words when it refuses */
  const ask = async <Id extends RouteId>(id: Id, fields?: Fields) => {
    const { data, error } = await exchange(id, fields);
    if (error !== undefined) throw error;
    // The server answers by the row that this type is read from.
    return data as AnswerOf<Id>;
  };

  return {
    url,
    ask,
    tell: async (id: RouteId, fields?: Fields) => void (await ask(id, fields)),
    askForOne: async <Id extends RouteId>(id: Id, fields?: Fields) => {
      const { data, error, isMissing } = await exchange(id, fields);
      if (error !== undefined && !isMissing) throw error;
      return data as AnswerOf<Id> | undefined;
    },
    ready: async (limitMs: number): Promise<void> => {
      const endsAt = performance.now() + requireMs(limitMs, limitMs >= 0, "zero or more");
      for (;;) {
        try {
          return await meet();
        } catch (error) {
          if (!(error instanceof Unreachable) || performance.now() >= endsAt) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
      }
    },
  };
};
