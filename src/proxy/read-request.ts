import type { Action } from "../contract/actions.ts";
import type { EndpointName } from "../contract/endpoint.ts";
import { callIdHeader } from "../contract/proxy-answers.ts";
import { unsupportedActionMessage } from "../contract/supported-actions.ts";
import { describeKind } from "../errors/text.ts";
import { isObject, type Refuse, wholeNumber } from "../options/rules.ts";
import { costOf, type JobCost } from "../submissions/usage-limits.ts";
import { refuse } from "./answer.ts";
import type { OwnerLimits, ProxyErrorEvent } from "./proxy-options.ts";
import type { ProxyConfig } from "./resolve-proxy-config.ts";

type Body = Readonly<Record<string, unknown>>;

/**
 * Refuses requests that pages of other sites make with the user's cookies: browsers say so, and pages
 * cannot. Where an old one says nothing, it asks leave for JSON and deletions, and gets none.
 */
export const requireOwnSite = ({ headers, method }: Request): void => {
  const site = headers.get("sec-fetch-site") ?? "same-origin";
  const isRead = method === "GET" || method === "HEAD";
  if (site === "same-origin" || (site === "none" && isRead)) return;
  refuse(
    403,
    "requests from another site are refused: let your server check them, and call fetchAs",
  );
};

const refuseQuery: Refuse = (message) => refuse(400, message);

/** Reads the query of a list: only `limit`, because other parameters may reach others' things. */
export const readLimit = (url: string): number | undefined => {
  const query = new URL(url).searchParams;
  for (const name of query.keys()) {
    if (name !== "limit") refuse(400, `query.${name} is not passed on; only limit is`);
  }
  const limit = query.get("limit");
  if (limit === null) return undefined;
  return wholeNumber(0, 10_000)(limit === "" ? limit : Number(limit), "query.limit", refuseQuery);
};

/** The longest owner, as a URL writes it: each of its records has it in its id. */
const longestOwner = 800;

/** Whether a value can name an owner. Half of a surrogate pair cannot stand in a key. */
export const isOwner = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  !/\p{Surrogate}/u.test(value) &&
  encodeURIComponent(value).length <= longestOwner;

/** Reads the id by which a page names a call, so that a repeat of it is known. */
export const readCallId = ({ headers }: Request): string | undefined => {
  const id = headers.get(callIdHeader) ?? undefined;
  if (id === undefined || /^[!-~]{1,128}$/.test(id)) return id;
  return refuse(400, "Idempotency-Key must have 1 to 128 visible ASCII characters");
};

/** A form or a text of another site needs no leave of the browser: JSON does. */
const jsonType = /^application\/json\s*(;|$)/i;

/** Reads a request's body: an object in JSON, of bounded size. */
const readBody = async ({ headers, body }: Request, maxRequestBytes: number): Promise<Body> => {
  if (!jsonType.test(headers.get("content-type") ?? "")) {
    refuse(415, "the body must be JSON: content-type application/json");
  }
  const requireSize = (bytes: number): void => {
    if (bytes <= maxRequestBytes) return;
    refuse(413, `the body has more than ${maxRequestBytes} bytes (maxRequestBytes)`);
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
    const reason = "where the page has sent one, a body parser before the proxy has read it";
    refuse(400, `the body is empty: ${reason}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(await new Blob(pieces).text());
  } catch {
    refuse(400, "the body is not JSON");
  }
  return isObject(value) ? value : refuse(400, "the body must be an object in JSON");
};

/** Checks what decides about the price of a job, and counts it. The service checks all the rest. */
const readCost = (
  body: Body,
  actions: readonly Action[] | undefined,
  limits: OwnerLimits,
): JobCost => {
  if (actions !== undefined && !actions.includes(body["action"] as Action)) {
    refuse(400, unsupportedActionMessage(actions));
  }
  return costOf(body, limits, (message) => refuse(400, message));
};

/** Reads owner and body of a request. */
export const createRequestReader = (
  config: ProxyConfig,
  reportOf: (part: ProxyErrorEvent["part"]) => (error: unknown) => void,
) => {
  const { authorize, limitsOf, actions, maxRequestBytes } = config;

  /** Runs a function of the user's. What it throws is told to the observer alone. */
  const ask = async <T>(
    part: "authorize" | "limits",
    { headers }: Request,
    run: () => T | Promise<T>,
  ): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      reportOf(part)(error);
      // Another copy of a call with an id may have been carried out.
      const outcome = headers.has(callIdHeader) ? "unknown" : "not-sent";
      return refuse(500, "the proxy failed, and this request was not sent", { outcome });
    }
  };

  const readOwner = async (request: Request): Promise<string> => {
    if (authorize === undefined) return "anyone";
    const owner: unknown = await ask("authorize", request, () => authorize(request));
    if (isOwner(owner)) return owner;
    if ([undefined, null, false, ""].includes(owner as null)) {
      return refuse(401, "Unauthorized: sign in first");
    }
    return ask("authorize", request, () => {
      throw new TypeError(`authorize must give text, got ${describeKind(owner)}`);
    });
  };

  /** Reads what a write asks for, and refuses what no service should see. */
  const readWrite = async (request: Request, name: EndpointName, owner: string) => {
    const body = await readBody(request, maxRequestBytes);
    if (name !== "jobs.submit") {
      if ("id" in body) refuse(400, "id cannot be chosen: the service makes it");
      return { body };
    }
    const limits: OwnerLimits = await ask("limits", request, () => limitsOf(owner));
    return { body, limits, cost: readCost(body, actions, limits) };
  };

  return { readOwner, readWrite };
};
