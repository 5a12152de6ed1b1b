import { getRequestListener } from "@hono/node-server";
import { createProxy, type ProxyOptions } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { listenOnLoopback } from "./loopback-server.ts";

/** Answers a request of a page, as the proxy does. */
export type Handle = (request: Request) => Promise<Response>;

const html = { "content-type": "text/html" };
const page = "<!doctype html><link rel=icon href=data:,><title>Shop</title>";

/** Starts the server of an app: its page, and below `/adgen` what answers the page's calls. */
export const startWebApp = (handle: Handle): Promise<string> => {
  const listener = getRequestListener((request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/adgen/")) return handle(request);
    const location = searchParams.get("to");
    if (location !== null) return new Response(null, { status: 307, headers: { location } });
    return new Response(page, { headers: html });
  });
  return listenOnLoopback("HTTP/1.1", (request, response) => listener(request, response));
};

/** The proxy of an app whose users a cookie names. */
export const remember = (service: string, options: ProxyOptions = {}): Handle =>
  createProxy({
    baseUrl: service,
    apiKey: "test-key",
    store: createMemoryStore(),
    hooks: { onError: () => {} }, // failures are meant, and must not be printed
    authorize: ({ headers }) => /user=(\w+)/.exec(headers.get("cookie") ?? "")?.[1],
    ...options,
  });
