import { areTicksFaked } from "./faked-ticks.ts";

/** Key of the mocks that listen, each of which tells whether MSW still gets its requests. */
const listeningKey: unique symbol = Symbol.for("adgen-sdk.listening") as never;

/** Key under which MSW 2 keeps the interceptor of `fetch` while it listens. */
const msw2Key: unique symbol = Symbol.for("fetch-interceptor") as never;

interface Global {
  [listeningKey]?: Set<() => boolean>;
  readonly [msw2Key]?: object;
  /** The interceptors of MSW 3, also those that have ended. */
  readonly __MSW_INTERCEPTORS_REGISTRY?: ReadonlyMap<symbol, { readonly readyState: string }>;
}

/** Notes that a mock of this package listens. Gives the function that ends it. */
export const noteListening = (isIntercepting: () => boolean): (() => void) => {
  const global = globalThis as Global;
  global[listeningKey] ??= new Set();
  const listening = global[listeningKey];
  listening.add(isIntercepting);
  return () => void listening.delete(isIntercepting);
};

/**
 * Tells whether MSW judges requests: for a mock of this package, or for a server of MSW's own. It
 * hands on those that it lets by, and MSW 3 even those that it answers.
 */
export const isMswListening = (): boolean => {
  const global = globalThis as Global;
  if (global[msw2Key] !== undefined) return true;
  for (const isIntercepting of global[listeningKey] ?? []) if (isIntercepting()) return true;
  const interceptors = [...(global.__MSW_INTERCEPTORS_REGISTRY?.values() ?? [])];
  return interceptors.some(({ readyState }) => readyState === "ACTIVE") && !areTicksFaked();
};
