/**
 * A proxy for pages of the same origin: it keeps the key, knows which user owns each job, and sends a
 * repeated submission once. It calls the service by the public client, and may import `contract`, the
 * stores of `submissions`, and from `client` only `errors`, `options` and `internal`.
 *
 * @module adgen-sdk/proxy
 */

export type { AdGenProxy } from "./adgen-proxy.ts";
export { createProxy } from "./create-proxy.ts";
export type {
  LimitUsage,
  OwnerLimit,
  OwnerLimits,
  ProxyErrorEvent,
  ProxyHooks,
  ProxyOptions,
  ProxyResponseEvent,
} from "./proxy-options.ts";
