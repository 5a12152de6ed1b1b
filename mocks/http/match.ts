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
  readonly segments: readonly string[];
}

/** Groups the endpoints by method and number of segments, so that few are left to compare. */
const makeTable = (): ReadonlyMap<string, readonly Row[]> => {
  const table = new Map<string, Row[]>();
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const segments = endpoint.path.split("/");
    const group = `${endpoint.method} ${segments.length}`;
    const rows = table.get(group) ?? [];
    rows.push({ name: name as EndpointName, endpoint, segments });
    table.set(group, rows);
  }
  return table;
};

const table = /* @__PURE__ */ makeTable();

/** Gives the path below the base URL; without a base URL, the path from "/v1" on. */
const pathBelow = (baseUrl: string | undefined, url: URL): string => {
  const { pathname } = url;
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
  const path = pathBelow(baseUrl, url).split("/");
  for (const { name, endpoint, segments } of table.get(`${method} ${path.length}`) ?? []) {
    const fits = segments.every((segment, place) =>
      segment === ":id" ? path[place] !== "" : segment === path[place],
    );
    if (fits) return { name, endpoint, id: decodeId(path[segments.indexOf(":id")] ?? "") };
  }
  return undefined;
};
