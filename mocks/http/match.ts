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
  const path = pathBelow(baseUrl, url);
  for (const { name, endpoint, pattern } of rows) {
    const found = method === endpoint.method ? pattern.exec(path) : null;
    if (found !== null) return { name, endpoint, id: decodeId(found[1] ?? "") };
  }
  return undefined;
};
