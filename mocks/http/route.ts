import { bodies } from "../../src/contract/bodies.ts";
import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { type Envelope, failureEnvelope, successEnvelope } from "../../src/contract/envelope.ts";
import { findIssues } from "../../src/contract/schema.ts";
import { authenticate } from "../domain/accounts.ts";
import { isDeeperThan, maxDepth } from "../domain/depth.ts";
import { assumedMessages } from "../domain/messages.ts";
import { Fault } from "../domain/refusal.ts";
import type { AccountState, Context } from "../domain/state.ts";
import { type Call, firstChecks, type Outcome, routes } from "./routes.ts";

/** A request, read: all of it that the service looks at. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string | null;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly envelope: Envelope;
  readonly retryAfterMs?: number | undefined;
}

/** The endpoint that a request is for. */
export interface Match {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly id: string;
}

interface Row {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
}

/** By method and number of segments: few are left to compare then. */
const makeTable = (): ReadonlyMap<string, readonly Row[]> => {
  const table = new Map<string, Row[]>();
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const segments = endpoint.path.split("/");
    const kind = `${endpoint.method} ${segments.length}`;
    const rows = table.get(kind) ?? [];
    rows.push({ name: name as EndpointName, endpoint, segments });
    table.set(kind, rows);
  }
  return table;
};

const table = /* @__PURE__ */ makeTable();

/** The path below the base URL; without a base URL, below whatever comes before "/v1". */
const pathBelow = (baseUrl: string | undefined, url: URL): string => {
  const { pathname } = url;
  if (baseUrl === undefined) return pathname.slice(Math.max(0, pathname.indexOf("/v1/")));
  const path = url.origin + pathname;
  return path.startsWith(`${baseUrl}/`) ? path.slice(baseUrl.length) : "";
};

/** An id that cannot be decoded is left as it is: there is nothing by that name. */
const decodeId = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** `undefined` when it is none of the API's. */
export const match = (
  { method, url }: Exchange,
  baseUrl: string | undefined,
): Match | undefined => {
  const path = pathBelow(baseUrl, url).split("/");
  for (const { name, endpoint, segments } of table.get(`${method} ${path.length}`) ?? []) {
    const fits = segments.every((segment, place) =>
      segment === ":id" ? path[place] !== "" : segment === path[place],
    );
    if (fits) return { name, endpoint, id: decodeId(path[segments.indexOf(":id")] ?? "") };
  }
  return undefined;
};

/** The text's content is what counts: the document names no content type. */
const parseObject = (text: string): Record<string, unknown> => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Fault(400, assumedMessages.bodyNotJson);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Fault(400, assumedMessages.bodyNotObject);
  }
  if (isDeeperThan(maxDepth, body)) throw new Fault(400, assumedMessages.bodyTooDeep);
  return body as Record<string, unknown>;
};

/** The body as it was sent: the schema only says whether it will do. */
const validate = (name: EndpointName, text: string): unknown => {
  const schema = bodies[name];
  if (schema === undefined) return undefined;
  const body = parseObject(text);
  firstChecks[name]?.(body);
  const [issue] = findIssues(schema, body);
  if (issue === undefined) return body;
  throw new Fault(400, assumedMessages.invalidParameter(issue.path.join("."), issue.message));
};

/**
 * One request, from the key to the envelope. The order of the checks is assumed. @assumed A14
 *
 * @param account - Whose key it came with; `undefined` when nobody's
 */
export const answer = (
  account: AccountState | undefined,
  matched: Match | undefined,
  exchange: Exchange,
  circumstances: Omit<Context, "account">,
): Answer => {
  try {
    const authenticated = authenticate(account);
    if (matched === undefined) throw new Fault(404, assumedMessages.endpointNotFound);
    const operate = routes[matched.name] as (call: Call) => Outcome;
    const { data, retryAfterMs } = operate({
      ...circumstances,
      account: authenticated,
      id: matched.id,
      body: validate(matched.name, exchange.body),
      // Read by few, and not free.
      get query() {
        return exchange.url.searchParams;
      },
    });
    return { status: matched.endpoint.status, envelope: successEnvelope(data), retryAfterMs };
  } catch (error) {
    if (error instanceof Fault) {
      return { status: error.status, envelope: failureEnvelope(error.message) };
    }
    throw error;
  }
};
