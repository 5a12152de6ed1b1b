import type { IncomingMessage } from "node:http";

const plainTarget = /^\/v1\/[\w/-]*(?:\?[\w=&-]*)?$/;
const plainHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[1-5]?\d{1,4})?$/;

/**
 * The URL of a request that no two readers read differently: it goes to the API past hono, which
 * takes as long to read it as the service to answer. `undefined` for every other request.
 */
export const plainUrl = ({
  url = "",
  headers: { host = "" },
}: Pick<IncomingMessage, "url" | "headers">): string | undefined =>
  plainTarget.test(url) && plainHost.test(host) ? `http://${host}${url}` : undefined;
