import { describeKind, describeValue } from "../client/errors/text.ts";
import { callObserver } from "../client/options/hooks.ts";
import { problemOfId, refuseArgument } from "../client/options/rules.ts";
import type { ResourceKind } from "../contract/endpoint.ts";
import { outcomeHeader } from "../contract/proxy-answers.ts";
import { ownClock } from "../submissions/store/clock.ts";
import { boundStore } from "../submissions/store/records.ts";
import type { AdGenProxy } from "./adgen-proxy.ts";
import { outcomeOf, type ProxyAnswer, refusalOf } from "./answer.ts";
import { createIdempotency } from "./idempotency.ts";
import { createLimits } from "./limits.ts";
import { createOwnership, kinds } from "./ownership.ts";
import { createPerformer } from "./perform.ts";
import type { ProxyErrorEvent, ProxyOptions, ProxyResponseEvent } from "./proxy-options.ts";
import {
  createRequestReader,
  isOwner,
  isRead,
  readCallId,
  readLimit,
  requireOwnSite,
} from "./read-request.ts";
import { resolveProxyConfig } from "./resolve-proxy-config.ts";
import { pathBelow, routeOf, routesAt } from "./route.ts";
import { createUpstream } from "./upstream.ts";

const requireOwner = (owner: unknown, method: string): void => {
  if (isOwner(owner)) return;
  refuseArgument(`${method} needs the id of a user as owner, got ${describeKind(owner)}`);
};

/** Facts about a request for the observers, filled in as they become known. */
type Facts = { -readonly [Fact in keyof ProxyResponseEvent]?: ProxyResponseEvent[Fact] };

const fixedHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** The part of a platform's context, such as a Worker's, that the proxy uses. */
interface Context {
  readonly waitUntil: (promise: Promise<unknown>) => void;
}

const isContext = (value: unknown): value is Context =>
  typeof (value as Context | null | undefined)?.waitUntil === "function";

/** Prints a failure if `onError` is missing, so that no failure goes unnoticed. */
const printError = ({ part, error }: ProxyErrorEvent): void => {
  console.error(`adgen-sdk: a part of the proxy failed (${part})`, error);
};

/**
 * Creates a proxy: mount it below a path of your page's own origin, and give the page a client made
 * by `createClient({ baseUrl: "/that/path", apiKey: null })`.
 *
 * It adds the key, keeps owners apart, limits what each owner may use, and answers a repeated write
 * with the first answer. See the guide "Pages and the proxy".
 *
 * @throws `AdGenError`
 * - `config`: an option is missing or makes no sense; the message names it.
 * @example
 * const proxy = createProxy({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "your-key",
 *   authorize: (request) => userOf(request), // the id of the signed-in user
 *   store: createRedisStore((...words) => redis.call(...words)),
 * });
 * export const handler = (request: Request) => proxy(request);
 */
export const createProxy = (options: ProxyOptions): AdGenProxy => {
  const config = resolveProxyConfig(options);
  const { limitsOf, hooks } = config;
  const { onError = printError } = hooks;
  const reportOf = (part: ProxyErrorEvent["part"]) => (error: unknown) =>
    callObserver("onError", onError, { part, error });
  const store = boundStore(config.store, ownClock, config.storeTimeoutMs, reportOf("store"));
  /** Writes that are retried after their answers, because the store has failed. */
  const late = new Set<Promise<unknown>>();
  const outlive = (work: Promise<unknown>): void => {
    late.add(work);
    void work.then(() => late.delete(work));
  };
  const ownership = createOwnership(store, config.jobTtlMs, outlive);
  const limits = createLimits(store);
  const upstream = createUpstream(config, reportOf("upstream"));
  const { readOwner, readWrite, readLimits } = createRequestReader(config, reportOf);
  const perform = createPerformer(limits, readLimits, ownership, upstream, reportOf("upstream"));
  const performOnce = createIdempotency(config, store, perform, ownership, outlive);

  /** @param known - Owner for whom a program of this process acts */
  const answerTo = async (request: Request, facts: Facts, known?: string): Promise<ProxyAnswer> => {
    if (known === undefined) requireOwnSite(request);
    const routes = routesAt(config.endpoints, pathBelow(request.url));
    const { name, id, endpoint } = routeOf(routes, request.method);
    facts.endpoint = name;
    const owner = known ?? (await readOwner(request, endpoint));
    facts.owner = owner;
    if (endpoint.method === "GET") {
      const limit = endpoint.list === undefined ? undefined : readLimit(request.url);
      return perform({ name, id, owner, limit, signal: request.signal });
    }
    const callId = readCallId(request);
    const wanted = endpoint.takesBody ? await readWrite(request, name) : {};
    const call = { name, id, owner, ...wanted };
    // Changes and deletions have no record, because they cost nothing when they are sent twice.
    if (callId === undefined || endpoint.creates === undefined) return perform(call);
    const { answer, repeated } = await performOnce(call, callId);
    facts.repeated = repeated;
    return answer;
  };

  const handle = async (request: Request, known?: string): Promise<Response> => {
    const startedAt = performance.now();
    const { method } = request;
    const facts: Facts = {};
    let answer: ProxyAnswer;
    try {
      answer = await answerTo(request, facts, known);
    } catch (thrown) {
      answer = refusalOf(thrown, reportOf("proxy")).answer;
    }
    const { status, body } = answer;
    const headers = new Headers({ ...fixedHeaders, ...answer.headers });
    const outcome = isRead(request) ? undefined : outcomeOf(answer);
    if (outcome === undefined) headers.delete(outcomeHeader);
    callObserver("onResponse", hooks.onResponse, {
      method,
      ...facts,
      status,
      outcome,
      durationMs: performance.now() - startedAt,
      repeated: facts.repeated ?? false,
      requestId: answer.headers["x-request-id"],
    });
    return new Response(method === "HEAD" ? null : body, { status, headers });
  };

  /** Answers even after a bug of ours, because many servers exit if a handler rejects. */
  const respond = async (request: Request, known?: string): Promise<Response> => {
    try {
      return await handle(request, known);
    } catch (thrown) {
      const { status, body, headers } = refusalOf(thrown, reportOf("proxy")).answer;
      return new Response(body, { status, headers: { ...fixedHeaders, ...headers } });
    }
  };

  const proxy = (request: Request, ...platform: readonly unknown[]): Promise<Response> => {
    const response = respond(request);
    try {
      const work = () => response.then(() => Promise.all(late));
      if (!isRead(request)) platform.find(isContext)?.waitUntil(work());
    } catch (error) {
      // The submission is under way, and its answer must not be lost.
      reportOf("proxy")(error);
    }
    return response;
  };
  return Object.assign(proxy, {
    fetchAs(owner: string) {
      requireOwner(owner, "fetchAs");
      return (request: Request) => respond(request, owner);
    },
    async usage(owner: string) {
      requireOwner(owner, "usage");
      return limits.readUsage(owner, await limitsOf(owner));
    },
    async claim(kind: ResourceKind, id: string, owner: string) {
      requireOwner(owner, "claim");
      if (!kinds.includes(kind))
        refuseArgument(
          `claim takes one of ${kinds.join(", ")} as kind, got ${describeValue(kind)}`,
        );
      const problem = problemOfId(id);
      if (problem !== undefined)
        refuseArgument(`claim takes the id of the ${kind}, but the id ${problem}`);
      return ownership.give(kind, id, owner);
    },
  });
};
