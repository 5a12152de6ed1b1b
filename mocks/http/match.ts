import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";

/** The endpoint that a request is for. */
export interface Match {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Decoded `:id` of the path; empty where the endpoint has none. */
  readonly id: string;
}

/** All endpoints, each with the segments of its path. */
const makeRows = () =>
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
    name: name as EndpointName,
    endpoint,
    segments: endpoint.path.slice(1).split("/"),
  }));

const rows = /* @__PURE__ */ makeRows();

/** Decodes an id. One that cannot be decoded stays as it is: the service has nothing of that id. */
const decodeId = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * Finds the endpoint of a request, or the methods that its path has instead: none for a path that
 * the API does not have. What stands before the path of an endpoint is the base URL, which may be
 * any when none is given.
 *
 * @assumed A21
 */
export const match = (
  method: string,
  url: URL,
  baseUrl: string | undefined,
): Match | readonly string[] => {
  // HTTP wants an answer to HEAD wherever GET has one.
  const asked = method === "HEAD" ? "GET" : method;
  const methods: string[] = [];
  const { pathname } = url;
  // A doubled slash is a mistake in a base URL, which must not go unnoticed.
  if (pathname.includes("//")) return methods;
  const given = pathname.split("/");
  for (const { name, endpoint, segments } of rows) {
    const start = given.length - segments.length;
    const fits = segments.every(
      (segment, place) =>
        segment === given[start + place] || (segment === ":id" && given[start + place] !== ""),
    );
    if (!fits) continue;
    if (baseUrl !== undefined && baseUrl !== url.origin + given.slice(0, start).join("/")) continue;
    const place = segments.indexOf(":id");
    const id = place === -1 ? "" : (given[start + place] ?? "");
    if (endpoint.method === asked) return { name, endpoint, id: decodeId(id) };
    methods.push(...(endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method]));
  }
  return methods;
};
