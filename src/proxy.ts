/**
 * A same-origin proxy for pages: it keeps the key, knows whose a job is, and makes a repeated
 * submission harmless.
 *
 * @module adgen-sdk/proxy
 */

export type { EndpointName } from "./contract/endpoint.ts";
export { type AdGenProxy, createProxy, type ProxyContext } from "./proxy/create-proxy.ts";
export type { LimitKind, LimitUsage, OwnerLimit } from "./proxy/limits.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./proxy/memory-store.ts";
export type {
  OwnerOrRefusal,
  ProxyErrorEvent,
  ProxyHooks,
  ProxyOptions,
  ProxyResponseEvent,
} from "./proxy/proxy-options.ts";
export type { ProxyStore, SetOptions } from "./proxy/proxy-store.ts";
export { createRedisStore, type RedisClient, type RedisStoreOptions } from "./proxy/redis-store.ts";
