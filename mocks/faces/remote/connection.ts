/** The way to one mock server: its admin, by JSON over HTTP. */
import type { Envelope } from "../../../src/contract/envelope.ts";
import { isRecord, refusal } from "../../options/require.ts";
import { type Answer, createReach, type Fields, type Method } from "./reach-server.ts";

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

/** A mock server, as the parts of its face use it. */
export interface Connection {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /**
   * Asks the admin, below `/__mock/`.
   *
   * @param fields - Query of a GET or DELETE, JSON body of a POST or PUT
   * @throws Error with the server's words when it refuses
   */
  ask<Data>(method: Method, path: string, fields?: Fields): Promise<Data>;
  /** Asks about something that may be missing: gives `undefined` for a 404. */
  askForOne<Data>(method: Method, path: string, fields?: Fields): Promise<Data | undefined>;
  /** Asks the admin to do something, and gives nothing back. */
  tell(method: Method, path: string, fields?: Fields): Promise<void>;
  /** Waits until a server answers, for so many milliseconds. @throws Error when none does */
  ready(timeoutMs: number): Promise<void>;
}

/** Milliseconds between two looks for a server that does not answer yet. */
const lookEveryMs = 50;

/** Writes the path of something by its names, such as a job's id. */
export const pathOf = (...names: readonly string[]): string =>
  names.map(encodeURIComponent).join("/");

/** Refuses a name that a URL takes for a folder: the call would go to another route. */
const requireNames = (path: string): void => {
  const folder = path.split("/").find((name) => name === "." || name === "..");
  if (folder === undefined) return;
  throw new Error(`The mock server cannot be asked about "${folder}": a URL takes it for a folder`);
};

/** Reads the URL of a server; the URL of its page will do, too. */
const resolveUrl = (given: string | URL): string => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refusal("URL", `absolute, such as http://127.0.0.1:4471; it is "${given}"`);
  }
  return url.origin + url.pathname.replace(/(\/__mock)?\/*$/, "");
};

const resolveTimeout = (timeoutMs: number): number => {
  if (timeoutMs > 0 && timeoutMs <= Number.MAX_SAFE_INTEGER) return Math.ceil(timeoutMs);
  throw refusal("timeoutMs", `milliseconds, more than zero; it is ${timeoutMs}`);
};

const isEnvelope = (body: unknown): body is Envelope =>
  isRecord(body) && typeof body["success"] === "boolean";

/**
 * Opens the way to a mock server; nothing is sent yet.
 *
 * @throws TypeError when the URL or an option makes no sense
 */
export const createConnection = (
  given: string | URL,
  { fetch: send = globalThis.fetch, timeoutMs = 10_000 }: ConnectOptions,
): Connection => {
  const url = resolveUrl(given);
  const reach = createReach(url, send, resolveTimeout(timeoutMs));

  const refuseStranger = (call: string, { status, body }: Answer): Error => {
    const words = isEnvelope(body) && body.error !== null ? `: ${body.error}` : "";
    return new Error(
      `${url} is no mock server that can be steered: it answered ${call} with ${status}${words}. ` +
        "connectMock takes the URL that adgen-mock prints, or the url of startMockServer.",
    );
  };

  /** Looks whether a mock server is there. Gives an error when no server answers at all. */
  const look = async (): Promise<Error | undefined> => {
    const answer = await reach("GET", "clock");
    if (answer instanceof Error) return answer;
    const { status, body } = answer;
    const isMock = isEnvelope(body) && body.success && isRecord(body.data) && "now" in body.data;
    if (status !== 200 || !isMock) throw refuseStranger("GET /__mock/clock", answer);
    return undefined;
  };

  /** The first look, which later calls need not repeat. */
  let meeting: Promise<Error | undefined> | undefined;

  /** Makes sure that a mock server is there: no other one may get a call that changes something. */
  const meet = async (): Promise<Error | undefined> => {
    meeting ??= look();
    try {
      const failure = await meeting;
      if (failure !== undefined) meeting = undefined;
      return failure;
    } catch (error) {
      meeting = undefined;
      throw error;
    }
  };

  const exchange = async (method: Method, path: string, fields?: Fields) => {
    requireNames(path);
    const failure = await meet();
    if (failure !== undefined) throw failure;
    const answer = await reach(method, path, fields);
    if (answer instanceof Error) throw answer;
    const { status, body } = answer;
    if (!isEnvelope(body)) throw refuseStranger(`${method} /__mock/${path}`, answer);
    return { status, envelope: body };
  };

  const ask = async <Data>(...call: Parameters<typeof exchange>): Promise<Data> => {
    const { envelope } = await exchange(...call);
    if (!envelope.success) throw new Error(envelope.error);
    return envelope.data as Data;
  };

  return {
    url,
    ask,
    tell: async (...call) => void (await ask(...call)),
    askForOne: async <Data>(...call: Parameters<typeof exchange>) => {
      const { status, envelope } = await exchange(...call);
      if (envelope.success) return envelope.data as Data;
      if (status === 404) return undefined;
      throw new Error(envelope.error);
    },
    ready: async (limitMs) => {
      const endsAt = performance.now() + limitMs;
      for (;;) {
        const failure = await meet();
        if (failure === undefined) return;
        if (performance.now() >= endsAt) throw failure;
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    },
  };
};
