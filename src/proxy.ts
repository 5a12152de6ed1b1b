/**
 * A same-origin proxy for pages: it keeps the key, knows whose a job is, and makes a repeated
 * submission harmless.
 *
 * @module adgen-sdk/proxy
 */

export type { EndpointName, Kind as OwnedKind } from "./contract/endpoint.ts";
export type { LimitKind } from "./contract/reached-limit.ts";
export type { AdGenProxy, ProxyContext } from "./proxy/adgen-proxy.ts";
export { createProxy } from "./proxy/create-proxy.ts";
export type {
  LimitUsage,
  OwnerLimit,
  OwnerOrRefusal,
  ProxyErrorEvent,
  ProxyHooks,
  ProxyOptions,
  ProxyResponseEvent,
} from "./proxy/proxy-options.ts";
export { createMemoryStore } from "./submissions/memory-store.ts";
export type { NextRecord, RecordStore, StoredRecord } from "./submissions/record-store.ts";
export {
  createRedisStore,
  type RedisStoreOptions,
  type SendToRedis,
} from "./submissions/redis-store.ts";
