/** The way to one mock server: its admin, by JSON over HTTP. */
import type { Envelope } from "../../../src/contract/envelope.ts";
import { maxTimerMs } from "../../faults/limits.ts";
import { isRecord, refusal, requireKnown } from "../../options/require.ts";
import { writeEndless } from "./endless.ts";

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

/** Error of a call that no server has answered. */
class Unreachable extends Error {}

/** Milliseconds between two tries to reach a server that does not answer yet. */
const retryEveryMs = 50;

/** One request: its name for messages, its target and the rest of it. */
interface Written {
  readonly name: string;
  readonly target: string;
  readonly init: RequestInit;
}

const whoIsThere: Written = {
  name: "GET /__mock/clock",
  target: "/__mock/clock",
  init: { method: "GET" },
};

/** Writes a command. @throws Error for a key that would lead it to another path */
const writeCommand = (command: string, fields: object, account?: string): Written => {
  if (account === "." || account === "..") {
    throw new Error(
      `The mock server cannot be asked about "${account}": a URL takes it for a folder`,
    );
  }
  const scope = account === undefined ? "" : `accounts/${encodeURIComponent(account)}/`;
  const target = `/__mock/${scope}${command}`;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(fields, writeEndless);
  return { name: `POST ${target}`, target, init: { method: "POST", headers, body } };
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
  /**
   * Runs a command of the service, or of one account.
   *
   * @throws Error with the server's words when it refuses
   */
  call(command: string, fields: object, account?: string): Promise<unknown>;
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
  const reach = async ({ name, target, init }: Written) => {
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
    const { status, body } = await reach(whoIsThere);
    const isMock = isEnvelope(body) && body.success && isRecord(body.data) && "now" in body.data;
    if (status !== 200 || !isMock) throw refuseStranger(whoIsThere.name, status, body);
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

  return {
    url,
    call: async (...given) => {
      const written = writeCommand(...given);
      await meet();
      const { status, body } = await reach(written);
      if (!isEnvelope(body)) throw refuseStranger(written.name, status, body);
      if (!body.success) throw new Error(body.error);
      return body.data;
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
