import { type IncomingMessage, request as sendRequest } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createProxy, type ProxyOptions } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import type { Fault } from "./faults.ts";
import { listenOnLoopback, type Protocol, readText } from "./loopback-server.ts";

/** Answers a request of a page, as the proxy does. */
export type Handle = (request: Request) => Promise<Response>;

const html = { "content-type": "text/html" };
const page = "<!doctype html><link rel=icon href=data:,><title>Shop</title>";

/** Starts the server of an app: it serves a page, and answers the page's calls below `/adgen`. */
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

/** Creates the proxy of an app that knows its users by a cookie. */
export const createCookieProxy = (service: string, options: ProxyOptions = {}): Handle =>
  createProxy({
    baseUrl: service,
    apiKey: "test-key",
    store: createMemoryStore(),
    hooks: { onError: () => {} }, // failures are meant, and must not be printed
    authorize: ({ headers }) => /user=(\w+)/.exec(headers.get("cookie") ?? "")?.[1],
    ...options,
  });

export interface RelayOptions {
  readonly protocol: Protocol;
  /** Servers behind the relay, which speak HTTP/1.1. A repeated POST goes to the last server. */
  readonly targets: readonly string[];
  /** Returns the fault that the first POST with this prompt meets. Later POSTs succeed. */
  readonly faultOf: (prompt: string) => Fault | undefined;
  /**
   * When this resolves, the relay plays the fault and ends its connection to the server. By
   * default, the relay plays the fault when the server has answered, and drops the answer.
   */
  readonly moment?: ((prompt: string) => Promise<void>) | undefined;
}

/** Headers that are for one connection alone. */
const ownHeaders = ["connection", "keep-alive", "transfer-encoding", "date"];

/**
 * Starts a relay between a page and its server, as a load balancer is. It hands requests on as the
 * browser sent them, and plays faults to POSTs that it has read to their end.
 */
export const startRelay = async ({ protocol, targets, faultOf, moment }: RelayOptions) => {
  /** Prompts of the POSTs that have come, repeated ones too. */
  const prompts: string[] = [];

  const url = await listenOnLoopback(protocol, async (request, response, { socket }) => {
    const { method, headers } = request;
    const body = await readText(request);
    const prompt: string = method === "POST" ? JSON.parse(body).prompt : "";
    const isRepeated = prompts.includes(prompt);
    const fault = isRepeated ? undefined : faultOf(prompt);
    if (method === "POST") prompts.push(prompt);

    // HTTP/2 sends the request line and the host as fields whose names begin with ":".
    const passed = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
    const host = headers.host ?? String(headers[":authority"]);
    const handedOn = sendRequest(`${targets.at(isRepeated ? -1 : 0)}${request.url}`, {
      method,
      headers: { ...Object.fromEntries(passed), host },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      handedOn.on("response", resolve).on("error", reject);
    });
    answered.catch(() => {});
    handedOn.end(body);

    if (fault !== undefined && moment !== undefined) {
      await moment(prompt);
      handedOn.destroy();
      return fault({ socket, response });
    }
    const answer = await answered;
    const text = await readText(answer);
    if (fault !== undefined) return fault({ socket, response });
    response.statusCode = answer.statusCode ?? 0;
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !ownHeaders.includes(name)) response.setHeader(name, value);
    }
    response.end(text);
  });
  return { url, prompts };
};
