import { type Endpoint, type EndpointName, endpoints } from "../contract/endpoint.ts";
import { problemOfId } from "../request/url.ts";
import { refuse, refuseAsUnknown } from "./answer.ts";

/** One call of the API that pages may make. */
export interface RouteRow {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
}

/** The call that a request asks for. */
export interface Route extends RouteRow {
  /** Id in the path. */
  readonly id: string | undefined;
}

/** Makes the table of the calls that pages may make. */
export const createRoutes = (names: readonly EndpointName[]): readonly RouteRow[] =>
  names.map((name) => {
    const endpoint: Endpoint = endpoints[name];
    return { name, endpoint, pattern: new RegExp(`^${endpoint.path.replace(":id", "([^/]+)")}$`) };
  });

/** Gives the path below the place where the proxy is mounted; empty for a path elsewhere. */
export const pathBelow = (url: string, mountPath: string | undefined): string => {
  const { pathname } = new URL(url);
  const start = mountPath?.length ?? pathname.indexOf("/v1/");
  return start !== -1 && pathname.startsWith(mountPath ?? "") ? pathname.slice(start) : "";
};

/** Finds the calls of a path, one for each method; a path of no endpoint is refused. */
export const rowsAt = (routes: readonly RouteRow[], path: string): readonly RouteRow[] => {
  const rows = routes.filter(({ pattern }) => pattern.test(path));
  return rows.length > 0 ? rows : refuseAsUnknown();
};

/** Lists the methods that a path takes. */
export const methodsOf = (rows: readonly RouteRow[]): readonly string[] => {
  const methods = rows.map(({ endpoint }) => endpoint.method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
};

/** Reads the one segment that is the id. What cannot be one is unknown, like any other. */
const readId = (segment: string): string => {
  try {
    const id = decodeURIComponent(segment);
    if (problemOfId(id) === undefined) return id;
  } catch {
    // A stray percent sign.
  }
  return refuseAsUnknown();
};

/** Finds the call for a method, among those of its path. */
export const routeOf = (rows: readonly RouteRow[], path: string, method: string): Route => {
  const wanted = method === "HEAD" ? "GET" : method;
  const row = rows.find(({ endpoint }) => endpoint.method === wanted);
  if (row === undefined) {
    const allow = methodsOf(rows).join(", ");
    return refuse(405, `${method} is not allowed here; allowed: ${allow}`, { headers: { allow } });
  }
  const [, segment] = row.pattern.exec(path) ?? [];
  return { ...row, id: segment === undefined ? undefined : readId(segment) };
};
