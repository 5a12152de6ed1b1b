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

const makeRows = (): readonly Row[] =>
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
    name: name as EndpointName,
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replace(":id", "([^/]+)")}$`),
  }));

const rows = /* @__PURE__ */ makeRows();

/**
 * Gives the path below the base URL; without a base URL, the path from "/v1" on.
 *
 * @assumed A21
 */
const pathBelow = (baseUrl: string | undefined, url: URL): string => {
  const { pathname } = url;
  // A doubled slash is a mistake in a base URL, which must not go unnoticed.
  if (pathname.includes("//")) return "";
  if (baseUrl === undefined) return pathname.slice(Math.max(0, pathname.indexOf("/v1/")));
  const path = url.origin + pathname;
  return path.startsWith(`${baseUrl}/`) ? path.slice(baseUrl.length) : "";
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
  const path = pathBelow(baseUrl, url);
  // HTTP wants an answer to HEAD wherever GET has one.
  const asked = method === "HEAD" ? "GET" : method;
  for (const { name, endpoint, pattern } of rows) {
    const found = asked === endpoint.method ? pattern.exec(path) : null;
    if (found !== null) return { name, endpoint, id: decodeId(found[1] ?? "") };
  }
  return undefined;
};

/** Lists the methods of a path; none for a path that the API does not have. */
export const methodsAt = (url: URL, baseUrl: string | undefined): string[] => {
  const path = pathBelow(baseUrl, url);
  return rows
    .filter(({ pattern }) => pattern.test(path))
    .flatMap(({ endpoint: { method } }) => (method === "GET" ? [method, "HEAD"] : method));
};
