import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createMemoryStore, createProxy, type ProxyOptions } from "adgen-sdk/proxy";
import { afterAll } from "vitest";

/** Answers a request of a page, as the proxy does. */
export type Handle = (request: Request) => Promise<Response>;

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const html = { "content-type": "text/html" };
const page = "<!doctype html><link rel=icon href=data:,><title>Shop</title>";

/** Starts the server of an app: its page, and below `/adgen` what answers the page's calls. */
export const startWebApp = async (handle: Handle): Promise<string> => {
  const listener = getRequestListener((request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/adgen/")) return handle(request);
    const location = searchParams.get("to");
    if (location !== null) return new Response(null, { status: 307, headers: { location } });
    return new Response(page, { headers: html });
  });
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A proxy without a memory, as one writes it in a few lines. */
export const passOn =
  (service: string): Handle =>
  async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    if (method !== "GET" && method !== "POST") return new Response(null, { status: 204 });
    const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
    const body = method === "POST" ? await request.text() : null;
    const target = service + pathname.slice("/adgen".length) + search;
    const { status, body: answer } = await fetch(target, { method, headers, body });
    return new Response(answer, { status, headers: { "content-type": "application/json" } });
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
