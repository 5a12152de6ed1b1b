/**
 * Refuses requests that no mock answers, so that none reaches the real service by mistake. This folder
 * imports nothing else of the mock, because it also serves programs without a service.
 */

import { markRefused } from "./refused.ts";
import { type RefusalOf, refuseByFetch } from "./refusing-fetch.ts";
import { areTicksFaked, getBuiltin, isNode, mainGlobal } from "./runtime.ts";
import { type Judge, type Judgement, watchRequests } from "./watch-requests.ts";

/** What the guard must know of a mock. */
export interface GuardedMock {
  /**
   * Returns whether a request goes to the mock's service.
   *
   * @param request - The request object of Node or undici, if there is one
   */
  readonly isFor: (url: string, request?: object) => boolean;
  readonly isListening: () => boolean;
  /**
   * Returns why a request may not be sent. While the mock listens, this is `undefined` if MSW gets the
   * request.
   *
   * @param isMissed - Whether MSW hasn't got this request
   */
  readonly refusalOf: (url: URL, isMissed?: boolean) => Error | undefined;
  /** Ends a mock that an earlier test file of the process has left open. */
  readonly abandon: () => void;
}

/** "out": a handler lets the request out. "msw": one of MSW's functions sends it, so MSW gets it. */
type Passage = "out" | "msw";

/** State that all copies of this library in a process share. */
interface Registry {
  /** The global object of the test file that the guards belong to. */
  realm: object;
  /** Newest last. */
  readonly mocks: Set<GuardedMock>;
  readonly rules: Set<RefusalOf>;
  /** Marks the requests that are sent during some work. */
  readonly passage: {
    run<Result>(passage: Passage, work: () => Result): Result;
    getStore(): Passage | undefined;
  };
  /** Requests of `node:http` that were routed through MSW. */
  readonly routed: WeakSet<object>;
  stop: (() => void) | undefined;
}

const key: unique symbol = Symbol.for("adgen-sdk.guard") as never;

/** Key under which MSW 2 keeps the interceptor of `fetch` while it listens. */
const msw2Key: unique symbol = Symbol.for("fetch-interceptor") as never;

interface Global {
  [key]?: Registry;
  readonly [msw2Key]?: object;
  /** The interceptors of MSW 3, including those that have ended. */
  readonly __MSW_INTERCEPTORS_REGISTRY?: ReadonlyMap<symbol, { readonly readyState: string }>;
}

/** Returns whether other test files of the process share Node's modules, as in Jest. */
export const isNodeShared = (): boolean =>
  isNode() && !(getBuiltin("node:http").Agent instanceof Function);

/**
 * Returns whether a request comes from this test file. In Jest, each file has its own realm for all code
 * but Node's, so the request's class or its listeners belong to it.
 */
export const isOfThisFile = (request: Partial<NodeJS.EventEmitter>): boolean => {
  const listeners = ["response", "error"].flatMap((event) => request.listeners?.(event) ?? []);
  return (
    !isNodeShared() || [request.constructor, ...listeners].some((one) => one instanceof Function)
  );
};

const createPassage = (): Registry["passage"] => {
  if (!isNode()) return { run: (_, work) => work(), getStore: () => undefined };
  const { AsyncLocalStorage } = getBuiltin("node:async_hooks");
  return new AsyncLocalStorage<Passage>();
};

/** Returns the registry. When a later test file with its own realm asks, the guards of the earlier file end. */
const readRegistry = (): Registry => {
  const global = mainGlobal() as Global;
  global[key] ??= {
    realm: globalThis,
    mocks: new Set(),
    rules: new Set(),
    passage: createPassage(),
    routed: new WeakSet(),
    stop: undefined,
  };
  const registry = global[key];
  if (registry.realm !== globalThis) {
    for (const mock of registry.mocks) mock.abandon();
    registry.mocks.clear();
    registry.rules.clear();
    registry.stop?.();
    registry.stop = undefined;
    registry.realm = globalThis;
  }
  return registry;
};

/** Returns whether an MSW server decides about the requests of this process. */
const isMswListening = (): boolean => {
  const global = globalThis as Global;
  if (global[msw2Key] !== undefined) return true;
  const interceptors = [...(global.__MSW_INTERCEPTORS_REGISTRY?.values() ?? [])];
  return interceptors.some(({ readyState }) => readyState === "ACTIVE") && !areTicksFaked();
};

/** Judges a request by one URL; `undefined` stands for an address that no URL can express. */
const judgeUrl = (
  { mocks, rules }: Registry,
  url: URL | undefined,
  request: object,
  isMissed: boolean,
): Judgement | undefined => {
  const newestFirst = [...mocks].reverse();
  const owners = newestFirst.filter((mock) => url !== undefined && mock.isFor(url.href, request));
  const listening =
    owners.find((mock) => mock.isListening()) ?? newestFirst.find((mock) => mock.isListening());
  if (owners.length === 0 || url === undefined) {
    if (isMswListening()) return undefined;
    const error = [...rules].map((rule) => rule(url)).find((one) => one !== undefined);
    return error && { refusal: error, url };
  }
  return { url, refusal: (listening ?? owners[0])?.refusalOf(url, isMissed), isForMock: true };
};

const judge = (
  registry: Registry,
  urls: readonly (URL | undefined)[],
  request: object,
  hasOtherSocket: boolean,
): Judgement => {
  const passage = registry.passage.getStore();
  if (passage === "out") return {};
  const isMissed = hasOtherSocket || (passage !== "msw" && !registry.routed.has(request));
  const judged = urls.map((url) => judgeUrl(registry, url, request, isMissed));
  const {
    refusal,
    url,
    isForMock = false,
  } = judged.find((one) => one?.refusal !== undefined) ??
  judged.find((one) => one !== undefined) ??
  {};
  return { refusal: refusal && markRefused(refusal, url?.href ?? ""), isForMock };
};

const watchFetch = (judgeUrls: Judge): (() => void) => {
  const placed = refuseByFetch((url) => judgeUrls([url], {}).refusal);
  return () => void placed.undo();
};

const startWatching = (registry: Registry): void => {
  const judgeUrls: Judge = (urls, request, hasOtherSocket = false) =>
    judge(registry, urls, request, hasOtherSocket);
  if (isNode()) registry.stop ??= watchRequests(judgeUrls);
  else if (globalThis.fetch !== undefined) registry.stop ??= watchFetch(judgeUrls);
};

const stopWatching = (registry: Registry): void => {
  if (registry.mocks.size + registry.rules.size > 0) return;
  registry.stop?.();
  registry.stop = undefined;
};

/** Guards requests to a mock's service. A mock that is added again becomes the newest. */
export const guardMock = (mock: GuardedMock): void => {
  const registry = readRegistry();
  startWatching(registry);
  registry.mocks.delete(mock);
  registry.mocks.add(mock);
};

/** Ends the guard of a mock. */
export const unguardMock = (mock: GuardedMock): void => {
  const registry = readRegistry();
  registry.mocks.delete(mock);
  stopWatching(registry);
};

/** Refuses requests by a rule while no mock and no MSW server listens. Returns a function that ends this. */
export const addRule = (rule: RefusalOf): (() => void) => {
  const registry = readRegistry();
  startWatching(registry);
  registry.rules.add(rule);
  return () => {
    registry.rules.delete(rule);
    stopWatching(registry);
  };
};

/** Returns whether a request goes to the service of another mock than this one. */
export const isForAnotherMock = (own: GuardedMock, url: string): boolean =>
  [...readRegistry().mocks].some((mock) => mock !== own && mock.isFor(url));

/** Lets out the requests that are sent during some work. */
export const letOut = <Result>(work: () => Result): Result =>
  readRegistry().passage.run("out", work);

/** Runs work whose requests MSW gets. */
export const passMsw = <Result>(work: () => Result): Result =>
  readRegistry().passage.run("msw", work);

/** Notes a request of `node:http` that was routed through MSW. */
export const markRouted = (request: object): void => void readRegistry().routed.add(request);
