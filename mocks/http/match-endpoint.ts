import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";

/** The endpoint that a request is for. */
export interface Match {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Decoded `:id` of the path; empty if the path has no `:id`. */
  readonly id: string;
}

/** Lists all endpoints, each with the segments of its path. */
const makeRows = () =>
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
    name: name as EndpointName,
    endpoint,
    segments: endpoint.path.slice(1).split("/"),
  }));

const rows = /* @__PURE__ */ makeRows();

/** Decodes an id. If that fails, the id stays as it is: the service has nothing by that id anyway. */
const decodeId = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * Finds the endpoint of a request. If no endpoint matches, it returns the methods of the path; the
 * list is empty for a path outside the API. Without `baseUrl`, the path may have any prefix.
 *
 * @assumed A21
 */
export const matchEndpoint = (
  method: string,
  url: URL,
  baseUrl: string | undefined,
): Match | readonly string[] => {
  // HTTP requires that HEAD works wherever GET does.
  const asked = method === "HEAD" ? "GET" : method;
  const methods: string[] = [];
  const { pathname } = url;
  // A double slash is a mistake in the base URL, which the user should notice.
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
