/**
 * A proxy for pages of the same origin: it keeps the key, knows which user owns each job, and sends
 * a repeated submission once. The folder imports the contract, the client by its public name, and
 * the records and stores of the submissions.
 *
 * @module adgen-sdk/proxy
 */

export type { ResourceKind } from "../contract/endpoint.ts";
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
