import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";

/** The endpoint that a request is for. */
export interface Match {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Decoded `:id` of the path; empty where the endpoint has none. */
  readonly id: string;
}

interface Row {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
}

/** Makes the patterns of all endpoints. What stands before the last "/v1" is the base URL. */
const makeRows = (): readonly Row[] =>
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
    name: name as EndpointName,
    endpoint,
    pattern: new RegExp(`^(.*)${endpoint.path.replace(":id", "([^/]+)")}$`),
  }));

const rows = /* @__PURE__ */ makeRows();

/**
 * Finds the rows of a path below the base URL; without a base URL, below any.
 *
 * @assumed A21
 */
const rowsAt = (
  { origin, pathname }: URL,
  baseUrl: string | undefined,
  among: readonly Row[] = rows,
) => {
  // A doubled slash is a mistake in a base URL, which must not go unnoticed.
  if (pathname.includes("//")) return [];
  return among.flatMap(({ name, endpoint, pattern }) => {
    const [, base, id = ""] = pattern.exec(origin + pathname) ?? [];
    const isBelow = base !== undefined && base === (baseUrl ?? base);
    return isBelow ? [{ name, endpoint, id }] : [];
  });
};

/** Decodes an id. One that cannot be decoded stays as it is: the service has nothing of that id. */
const decodeId = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Finds the endpoint of a request; `undefined` when the API has none like that. */
export const match = (method: string, url: URL, baseUrl: string | undefined): Match | undefined => {
  // HTTP wants an answer to HEAD wherever GET has one.
  const asked = method === "HEAD" ? "GET" : method;
  const rowsOfMethod = rows.filter(({ endpoint }) => endpoint.method === asked);
  const [found] = rowsAt(url, baseUrl, rowsOfMethod);
  return found && { ...found, id: decodeId(found.id) };
};

/** Lists the methods of a path; none for a path that the API does not have. */
export const methodsAt = (url: URL, baseUrl: string | undefined): string[] =>
  rowsAt(url, baseUrl).flatMap(({ endpoint: { method } }) =>
    method === "GET" ? [method, "HEAD"] : method,
  );
