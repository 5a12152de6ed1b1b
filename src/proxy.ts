/**
 * A same-origin proxy for pages: it keeps the key, knows whose a job is, and makes a repeated
 * submission harmless.
 *
 * @module adgen-sdk/proxy
 */

export type { EndpointName } from "./contract/endpoint.ts";
export type { AdGenProxy, ProxyContext } from "./proxy/adgen-proxy.ts";
export { createProxy } from "./proxy/create-proxy.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./proxy/memory-store.ts";
export type {
  LimitKind,
  LimitUsage,
  OwnedKind,
  OwnerLimit,
  OwnerOrRefusal,
  ProxyErrorEvent,
  ProxyHooks,
  ProxyOptions,
  ProxyResponseEvent,
} from "./proxy/proxy-options.ts";
export type { ProxyStore, SetOptions } from "./proxy/proxy-store.ts";
export { createRedisStore, type RedisClient, type RedisStoreOptions } from "./proxy/redis-store.ts";
