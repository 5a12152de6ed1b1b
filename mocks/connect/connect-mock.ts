/**
 * Controls a mock server over HTTP: each call is `POST /__mock/<name>` with its arguments as JSON. It
 * imports only types of the mock, so that it is small enough for any test or page.
 */
import type { ManualClock } from "../domain/clock.ts";
import type { MockFaults } from "../faults/fault.ts";
import type { MockJournal } from "../journal/journal.ts";
import type { MockAccount } from "../service/account.ts";
import type { AccountJobs, MockJobs } from "../service/jobs.ts";
import type { MockService } from "../service/mock-service.ts";
import { parseJson, writeJson } from "./json-with-infinity.ts";

/** @inline */
type Part = ManualClock | MockFaults | MockJournal | MockJobs | AccountJobs;

/** A part of the service over HTTP. Methods keep their arguments, values become methods, and all return promises. */
export type OverHttp<Whole> = {
  readonly [Name in keyof Whole]: Whole[Name] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Answer>
    : Whole[Name] extends Part
      ? OverHttp<Whole[Name]>
      : () => Promise<Whole[Name]>;
};

/** The account of one API key on the server. */
export type ConnectedAccount = OverHttp<Omit<MockAccount, "key" | "toJSON">> & {
  readonly key: string;
};

/** Methods of the service that only its own process can call. */
type Local = "fetch" | "reply" | "artwork" | "baseUrl";

/** A mock server in another process, with the methods of a service in your own. */
export interface ConnectedMock
  extends OverHttp<Omit<MockService, Local | "account" | "accounts" | "addAccount">> {
  /** Base URL for clients, without a slash at its end. The page is at `/__mock/` below it. */
  readonly url: string;
  /** Returns the account of an API key. It sends nothing, so an unknown key makes later calls fail. */
  account(key: string): ConnectedAccount;
  /** Opens another account. If tests share a server, give each its own account. */
  addAccount(...given: Parameters<MockService["addAccount"]>): Promise<ConnectedAccount>;
}

/**
 * Connects to a mock server in another process, to control it like a service in your own. It sends nothing
 * yet.
 *
 * @param url - The URL that `adgen-mock` prints, or the `url` of `startMockServer`
 * @example
 * ```ts
 * const mock = connectMock("http://127.0.0.1:4471");
 * await mock.jobs.next({ fail: "moderation" });
 * ```
 */
export const connectMock = (url: string | URL): ConnectedMock => {
  const base = String(url).replace(/(\/__mock)?\/*$/, "");
  // A mock in this process may replace the global `fetch` later.
  const { fetch } = globalThis;
  const call = async (path: string, given: readonly unknown[]): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: writeJson(given), redirect: "manual" } as const;
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`${base}/__mock/${path}`, { ...init, signal }).catch((cause) => {
      throw new Error(`No mock server answers at ${base}: is adgen-mock running?`, { cause });
    });
    const { success, data, error } = parseJson(await response.text()) as Record<string, unknown>;
    if (success !== true) throw new Error(String(error));
    return data ?? undefined;
  };
  const part = (path: string): unknown =>
    new Proxy(() => {}, {
      get: (_, name) =>
        name === "then" ? undefined : part(path + (/(^|\/)$/.test(path) ? "" : ".") + String(name)),
      apply: (_, __, given) => call(path, given),
    });
  const account = (key: string) => {
    // A URL parser would treat "." and ".." as folders.
    if (key === "." || key === "..") throw new TypeError(`No account can be called "${key}"`);
    return new Proxy(part(`accounts/${encodeURIComponent(key)}/`) as ConnectedAccount, {
      get: (target, name) => (name === "key" ? key : Reflect.get(target, name)),
    });
  };
  const own = {
    url: base,
    account,
    addAccount: async (key: string, ...given: unknown[]) => {
      await call("addAccount", [key, ...given]);
      return account(key);
    },
  };
  return new Proxy(part("") as ConnectedMock, {
    get: (target, name) => Reflect.get(name in own ? own : target, name),
  });
};
