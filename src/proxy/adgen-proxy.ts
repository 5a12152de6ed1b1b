import type { CustomFetch } from "adgen-sdk";
import type { ResourceKind } from "../contract/endpoint.ts";
import type { LimitUsage } from "./proxy-options.ts";

/** A proxy, which answers the requests of pages. */
export interface AdGenProxy {
  /**
   * Answers one request. It never rejects: every failure is an answer in the envelope.
   *
   * @param platform Anything that the platform hands over, in any order. The proxy looks in it for
   * `waitUntil`, which keeps the platform's process alive until a promise settles, as in Workers.
   * Then a submission ends and its answer is remembered, even when the page has gone.
   */
  (request: Request, ...platform: readonly (object | undefined)[]): Promise<Response>;
  /**
   * Creates a `fetch` for a client in the same process, as in a server action or in the rendering
   * of a page. The client acts for the owner: the proxy's rules hold, and the owner's page finds
   * the jobs. The proxy neither calls `authorize` nor checks the origin of the request.
   *
   * @throws `AdGenError`
   * - `invalid_request`: `owner` is not a usable text.
   * @example
   * const client = createClient({
   *   baseUrl: "http://proxy", // any URL: no request goes there
   *   apiKey: null,
   *   fetch: proxy.fetchAs(user.id),
   * });
   */
  fetchAs(owner: string): CustomFetch;
  /**
   * Returns how much of each limit an owner has used.
   *
   * @throws `AdGenError`
   * - `invalid_request`: `owner` is not a usable text.
   * - `store`: the store failed.
   * @throws The error of the function `limits`, when it fails.
   */
  usage(owner: string): Promise<readonly LimitUsage[]>;
  /**
   * Records the owner of something that this proxy did not create: a brand that is older than the
   * proxy, or a job that your server submitted by itself.
   *
   * @returns `false` if somebody else already owns it.
   * @throws `AdGenError`
   * - `invalid_request`: the kind, the id or the owner is not usable.
   * - `store`: the store failed, so the owner is unknown.
   */
  claim(kind: ResourceKind, id: string, owner: string): Promise<boolean>;
}
