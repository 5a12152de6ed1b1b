import { callIdHeader, outcomeHeader } from "../contract/proxy-headers.ts";
import { notify } from "../hooks.ts";
import type { AdGenProxy, ProxyContext } from "./adgen-proxy.ts";
import { fail, outcomeOf, type ProxyAnswer, Refusal, refuse } from "./answer.ts";
import { admit, preflightHeaders } from "./cross-site.ts";
import { readUsage } from "./limits.ts";
import { createOnce } from "./once.ts";
import { createOwnership } from "./ownership.ts";
import { createPerformer, type OwnedCall } from "./perform.ts";
import type {
  OwnerLimit,
  ProxyErrorEvent,
  ProxyOptions,
  ProxyResponseEvent,
} from "./proxy-options.ts";
import { readJsonBody } from "./read-body.ts";
import { costOf } from "./read-job-request.ts";
import { digestOf, readCallId, readLimit } from "./read-request.ts";
import { resolveProxyConfig } from "./resolve-proxy-config.ts";
import { createRoutes, methodsOf, pathBelow, type Route, routeOf, rowsAt } from "./route.ts";
import { createSteadyStore, within } from "./steady-store.ts";
import { createUpstream } from "./upstream.ts";

/** Facts that become known of a request on its way, for the observers. */
type Facts = { -readonly [Fact in keyof ProxyResponseEvent]?: ProxyResponseEvent[Fact] };

const fixedHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Time for `authorize`, and for a function of limits, in milliseconds. */
const callbackMs = 30_000;

const isRead = (method: string): boolean => !["POST", "PATCH", "DELETE"].includes(method);

/**
 * Makes a proxy: mount it below a path of your page's own origin, and give the page a client made by
 * `createClient({ baseUrl: "/that/path", apiKey: null })`.
 *
 * It adds the key, tells owners apart, bounds what each may use, and answers a repeated POST with
 * the first one's answer. See the guide "Browsers and proxies".
 *
 * @throws `ConfigError` (`config`) that names an option which is missing or makes no sense.
 * @example
 * const proxy = createProxy({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "your-key",
 *   authorize: (request) => userOf(request)?.id,
 *   store: createRedisStore(redis),
 * });
 * export const handler = (request: Request) => proxy(request);
 */
export const createProxy = (options: ProxyOptions): AdGenProxy => {
  const config = resolveProxyConfig(options);
  const { authorize, limitsOf, hooks, mountPath, timeoutMs = 60_000 } = config;
  const reportOf = (part: ProxyErrorEvent["part"]) => (error: unknown) =>
    notify("onError", hooks.onError, { part, error });
  const store = createSteadyStore(config.store, config.storeTimeoutMs, reportOf("store"));
  const ownership = createOwnership(store, config.jobTtlMs);
  const send = createUpstream(config, reportOf("upstream"));
  const perform = createPerformer({ store, ownership, send, report: reportOf("upstream") });
  const once = createOnce(store, config.callWindowMs, timeoutMs + 10_000);
  const routes = createRoutes(config.endpoints);

  /** Runs a function of the user's. What it throws is told to the observer alone. */
  const ask = async <T>(part: "authorize" | "limits", run: () => T | Promise<T>): Promise<T> => {
    try {
      return await within(callbackMs, part, run);
    } catch (error) {
      reportOf(part)(error);
      return refuse(500, "the proxy failed, and nothing was sent");
    }
  };

  const readOwner = async (request: Request): Promise<string> => {
    if (authorize === undefined) return "anyone";
    const owner: unknown = await ask("authorize", () => authorize(request));
    if (typeof owner === "string" && owner !== "") return owner;
    if ([undefined, null, false, ""].includes(owner as null)) {
      return refuse(401, "Unauthorized: sign in first");
    }
    reportOf("authorize")(new TypeError(`authorize must give a string, got a ${typeof owner}`));
    return refuse(500, "the proxy failed, and nothing was sent");
  };

  const readLimits = async (owner: string): Promise<readonly OwnerLimit[]> =>
    ask("limits", () => limitsOf(owner));

  /** Reads what a write asks for, and refuses what no service should see. */
  const readWrite = async (request: Request, { name }: Route, owner: string) => {
    if (request.bodyUsed) {
      reportOf("authorize")(new Error("authorize has read the body: let it read request.clone()"));
      return refuse(500, "the proxy failed, and nothing was sent");
    }
    const body = await readJsonBody(request, config);
    if (name !== "jobs.submit") {
      if ("id" in body) refuse(400, "id cannot be chosen: the service makes it");
      return { body };
    }
    const limits = await readLimits(owner);
    const countsSeconds = limits.some(({ videoSeconds }) => videoSeconds !== undefined);
    return { body, limits, cost: costOf(body, config.actions, countsSeconds) };
  };

  const answerTo = async (request: Request, facts: Facts): Promise<ProxyAnswer> => {
    const path = pathBelow(request.url, mountPath);
    const rows = rowsAt(routes, path);
    if (request.method === "OPTIONS") {
      const methods = methodsOf(rows);
      const headers = { allow: methods.join(", "), ...preflightHeaders(methods) };
      return { status: 204, body: "", headers };
    }
    const route = routeOf(rows, path, request.method);
    const { name, id, endpoint } = route;
    facts.endpoint = name;
    const owner = await readOwner(request);
    facts.owner = owner;
    if (endpoint.method === "GET") {
      const limit = endpoint.list === undefined ? undefined : readLimit(request.url);
      return perform({ name, id, owner, limit, signal: request.signal });
    }
    if (endpoint.method === "DELETE") return perform({ name, id, owner });
    const callId = endpoint.method === "POST" ? readCallId(request) : undefined;
    const call: OwnedCall = { name, id, owner, ...(await readWrite(request, route, owner)) };
    if (callId === undefined) return perform(call);
    const { answer, repeated } = await once(
      {
        key: `call:${encodeURIComponent(owner)}:${callId}`,
        digest: await digestOf(`${name} ${JSON.stringify(call.body)}`),
      },
      () => perform(call),
    );
    facts.repeated = repeated;
    return answer;
  };

  const handle = async (request: Request): Promise<Response> => {
    const startedAt = performance.now();
    const { method } = request;
    const facts: Facts = {};
    let crossOrigin: Readonly<Record<string, string>> = {};
    let answer: ProxyAnswer;
    try {
      crossOrigin = admit(request, config.origins);
      answer = await answerTo(request, facts);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) reportOf("proxy")(thrown);
      answer = thrown instanceof Refusal ? thrown.answer : fail(500, "the proxy failed");
      // This request was not sent. An earlier one of the same call may have been.
      if (outcomeOf(answer) === "not-sent" && request.headers.has(callIdHeader)) {
        answer = { ...answer, headers: { ...answer.headers, [outcomeHeader]: "unknown" } };
      }
    }
    const { status, body } = answer;
    const headers = new Headers({ ...fixedHeaders, ...answer.headers, ...crossOrigin });
    const outcome = isRead(method) ? undefined : outcomeOf(answer);
    if (outcome === undefined) headers.delete(outcomeHeader);
    notify("onResponse", hooks.onResponse, {
      ...{ method, ...facts, status, outcome },
      durationMs: performance.now() - startedAt,
      repeated: facts.repeated ?? false,
      requestId: answer.headers["x-request-id"],
    });
    const isBodiless = method === "HEAD" || status === 204;
    return new Response(isBodiless ? null : body, { status, headers });
  };

  const proxy = (request: Request, context?: ProxyContext): Promise<Response> => {
    const response = handle(request);
    if (!isRead(request.method)) context?.waitUntil?.(response);
    return response;
  };
  return Object.assign(proxy, {
    usage: async (owner: string) => readUsage(store, owner, await limitsOf(owner)),
    claim: ownership.claim,
  });
};
