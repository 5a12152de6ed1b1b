import { callIdHeader, outcomeHeader } from "../contract/proxy-headers.ts";
import { parseUrl } from "../parse-url.ts";
import { refuse } from "./answer.ts";

/** Hosts by which the page may know this proxy. A page cannot set these headers for a browser. */
const ownHosts = ({ url, headers }: Request): readonly string[] =>
  [
    new URL(url).host,
    headers.get("host") ?? "",
    headers.get("x-forwarded-host")?.split(",", 1)[0]?.trim() ?? "",
  ].filter((host) => host !== "");

const isOwn = (origin: string, request: Request): boolean => {
  const page = parseUrl(origin);
  if (page === undefined) return false;
  // Read as the page's own address: a port that its protocol implies may be written out.
  const hosts = ownHosts(request).map((host) => parseUrl(`${page.protocol}//${host}`)?.host);
  if (!hosts.includes(page.host)) return false;
  // A page without https may have been changed on its way.
  return page.protocol === "https:" || !request.url.startsWith("https:");
};

const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

/**
 * Refuses requests that pages of other sites make with the user's cookies, by the two headers that
 * browsers set and pages cannot. Without either, no browser of today made the request.
 *
 * @returns The headers that let a page of a listed origin read the answer; none for one's own.
 */
export const admit = (
  request: Request,
  origins: readonly string[],
): Readonly<Record<string, string>> => {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site") ?? "same-origin";
  if (origin !== null && origins.includes(origin)) {
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": `retry-after, x-request-id, ${outcomeHeader}`,
      vary: "origin",
    };
  }
  const mayCome = site === "same-origin" || (site === "none" && isRead(request));
  if (!mayCome || (origin !== null && !isOwn(origin, request))) {
    const whose = origin === null ? "another site" : `the origin ${JSON.stringify(origin)}`;
    // The browser says that the page asked its own origin. So a server between them changed it.
    const advice =
      mayCome && request.headers.has("sec-fetch-site")
        ? `a server in front changed the Host to ${JSON.stringify(ownHosts(request)[1] ?? "none")}. Let it keep the Host, or name the origin in the proxy's origins`
        : "name it in the proxy's origins if it is yours";
    refuse(403, `requests from ${whose} are refused: ${advice}`);
  }
  return {};
};

/** Answers the question that a browser asks before it sends a request of another origin. */
export const preflightHeaders = (methods: readonly string[]): Readonly<Record<string, string>> => ({
  "access-control-allow-methods": methods.join(", "),
  "access-control-allow-headers": `content-type, ${callIdHeader}`,
  "access-control-max-age": "600",
});
