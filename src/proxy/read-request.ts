import { describeKind } from "../client/errors/text.ts";
import { isObject, type Refuse, wholeNumberRule } from "../client/options/rules.ts";
import type { Action } from "../contract/actions.ts";
import { unsupportedActionMessage } from "../contract/actions.ts";
import type { Endpoint, EndpointName } from "../contract/endpoint.ts";
import { callIdHeader } from "../contract/proxy-answers.ts";
import { requestCostOf } from "../submissions/store/usage-limits.ts";
import { ProxyRefusal, refuseRequest, unreadableAnswer } from "./answer.ts";
import type { OwnerLimits, ProxyErrorEvent } from "./proxy-options.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

type Body = Readonly<Record<string, unknown>>;

export const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/** Matches JSON, before which browsers send a preflight, unlike forms and plain text. */
const jsonType = /^application\/json\s*(;|$)/i;

/**
 * Whether a page of another site could have sent a write without a preflight, which the proxy never
 * permits. Each browser names the page's origin in a write, and the page's own client sends a call
 * id.
 */
const mayLackPreflight = ({ headers, method }: Request): boolean =>
  method === "POST" &&
  headers.has("origin") &&
  !headers.has(callIdHeader) &&
  !jsonType.test(headers.get("content-type") ?? "");

/**
 * Refuses requests that pages of other sites make with the user's cookies. The browser sets
 * `sec-fetch-site`, and a page cannot change it. Old browsers don't send this header, and no
 * browser sends it to an address without TLS.
 */
export const requireOwnSite = (request: Request): void => {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin" || (site === "none" && isRead(request))) return;
  if (site === null && !mayLackPreflight(request)) return;
  refuseRequest(
    403,
    "requests from another site are refused: let your server check them, and call fetchAs",
  );
};

const refuseQuery: Refuse = (message) => refuseRequest(400, message);

/** Reads `limit` from the query of a list. Other parameters could reach things of other owners. */
export const readLimit = (url: string): number | undefined => {
  const query = new URL(url).searchParams;
  for (const name of query.keys()) {
    if (name !== "limit")
      refuseRequest(400, `query.${name} is not allowed: limit is the only parameter`);
  }
  const limit = query.get("limit");
  if (limit === null) return undefined;
  return wholeNumberRule(0, 10_000)(
    limit === "" ? limit : Number(limit),
    "query.limit",
    refuseQuery,
  );
};

/** Maximum length of an owner as URLs write it, in characters. The ids of records contain it. */
const maxOwnerLength = 800;

/** Whether a value can name an owner. The key of a record cannot hold half of a surrogate pair. */
export const isOwner = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  !/\p{Surrogate}/u.test(value) &&
  encodeURIComponent(value).length <= maxOwnerLength;

/** Reads the id by which a page names a call, so that a repeat of it is known. */
export const readCallId = ({ headers }: Request): string | undefined => {
  const id = headers.get(callIdHeader) ?? undefined;
  if (id === undefined || /^[!-~]{1,128}$/.test(id)) return id;
  return refuseRequest(400, "Idempotency-Key must have 1 to 128 visible ASCII characters");
};

/** Reads a request's body: an object in JSON, of bounded size. */
const readBody = async ({ headers, body }: Request, maxRequestBytes: number): Promise<Body> => {
  if (!jsonType.test(headers.get("content-type") ?? "")) {
    refuseRequest(415, "the body must be JSON: content-type application/json");
  }
  const requireSize = (bytes: number): void => {
    if (bytes <= maxRequestBytes) return;
    refuseRequest(413, `the body has more than ${maxRequestBytes} bytes (maxRequestBytes)`);
  };
  requireSize(Number(headers.get("content-length")));
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    bytes += piece.byteLength;
    requireSize(bytes);
  }
  if (bytes === 0) {
    const reason = "if the page has sent a body, a body parser has read it before the proxy";
    refuseRequest(400, `the body is empty: ${reason}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(await new Blob(pieces).text());
  } catch {
    refuseRequest(400, "the body is not JSON");
  }
  return isObject(value) ? value : refuseRequest(400, "the body must be an object in JSON");
};

/**
 * Refuses a submission whose action is not allowed, or whose price cannot be counted. The service
 * checks the other parameters.
 */
const checkSubmission = (body: Body, actions: readonly Action[] | undefined): void => {
  if (actions !== undefined && !actions.includes(body["action"] as Action)) {
    refuseRequest(400, unsupportedActionMessage(actions));
  }
  requestCostOf(body, {}, (message) => refuseRequest(400, message));
};

const failedWords = "the proxy failed, and this request was not sent";

/** Reads owner and body of a request, and the limits of an owner. */
export const createRequestReader = (
  config: ProxyConfig,
  reportOf: (part: ProxyErrorEvent["part"]) => (error: unknown) => void,
) => {
  const { authorize, limitsOf, actions, maxRequestBytes } = config;

  /** Finds the owner of a request. The page does not learn what `authorize` has thrown. */
  const readOwner = async (request: Request, { creates }: Endpoint): Promise<string> => {
    if (authorize === undefined) return "anyone";
    // Without the owner, nobody can look up whether a copy of the call was carried out.
    const hasId = creates !== undefined && request.headers.has(callIdHeader);
    try {
      const owner: unknown = await authorize(request);
      if (isOwner(owner)) return owner;
      if (![undefined, null, false, ""].includes(owner as null)) {
        throw new TypeError(`authorize must return text, got ${describeKind(owner)}`);
      }
    } catch (error) {
      reportOf("authorize")(error);
      if (!hasId) return refuseRequest(500, failedWords);
      throw new ProxyRefusal(unreadableAnswer(500, failedWords));
    }
    const words = "Unauthorized: sign in first";
    return refuseRequest(401, words, { outcome: hasId ? "unknown" : "refused" });
  };

  /** Reads the body of a write, and refuses a body that must not reach the service. */
  const readWrite = async (request: Request, name: EndpointName) => {
    const body = await readBody(request, maxRequestBytes);
    if (name === "jobs.submit") checkSubmission(body, actions);
    else if ("id" in body) refuseRequest(400, "id is not allowed: the service chooses it");
    return { body };
  };

  /** Reads the limits of an owner. The page does not learn what `limits` has thrown. */
  const readLimits = async (owner: string): Promise<OwnerLimits> => {
    try {
      return await limitsOf(owner);
    } catch (error) {
      reportOf("limits")(error);
      return refuseRequest(500, failedWords);
    }
  };

  return { readOwner, readWrite, readLimits };
};
