import { problemOfId } from "../client/options/rules.ts";
import { type Endpoint, type EndpointName, endpoints } from "../contract/endpoint.ts";
import { refuseAsUnknown, refuseRequest } from "./answer.ts";

/** A call of the API that a path names. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Id in the path. */
  readonly id: string | undefined;
}

/**
 * Returns the path from `/v1/` on, wherever the proxy is mounted. Any other path gives a text that
 * matches no call. A slash at the end counts for nothing, because some servers add it before the
 * proxy is called.
 */
export const pathBelow = (url: string): string => {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.indexOf("/v1/")).replace(/\/$/, "");
};

/**
 * Reads the segment that holds an id. A segment that cannot be an id gets the answer to an unknown
 * id.
 */
const readId = (segment: string): string => {
  try {
    const id = decodeURIComponent(segment);
    if (problemOfId(id) === undefined) return id;
  } catch {
    // The segment has a stray percent sign.
  }
  return refuseAsUnknown();
};

/** Finds the calls of a path, one for each method. A path without any call is refused. */
export const routesAt = (names: readonly EndpointName[], path: string): readonly Route[] => {
  const routes = names.flatMap((name) => {
    const endpoint: Endpoint = endpoints[name];
    const match = new RegExp(`^${endpoint.path.replace(":id", "([^/]+)")}$`).exec(path);
    return match === null ? [] : [{ name, endpoint, id: match[1] && readId(match[1]) }];
  });
  return routes.length > 0 ? routes : refuseAsUnknown();
};

/** Lists the methods that a path takes. */
const methodsOf = (routes: readonly Route[]): readonly string[] => {
  const methods = routes.map(({ endpoint }) => endpoint.method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])];
};

/** Finds the call for a method among those of its path. */
export const routeOf = (routes: readonly Route[], method: string): Route => {
  const wanted = method === "HEAD" ? "GET" : method;
  const route = routes.find(({ endpoint }) => endpoint.method === wanted);
  if (route !== undefined) return route;
  const allow = methodsOf(routes).join(", ");
  return refuseRequest(405, `${method} is not allowed here; allowed: ${allow}`, {
    headers: { allow },
  });
};
