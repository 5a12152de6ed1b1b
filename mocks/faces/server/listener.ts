import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { failureEnvelope } from "../../../src/contract/envelope.ts";
import type { MockReply } from "../../http/reply.ts";
import type { MockService } from "../../service/mock-service.ts";
import type { Admin } from "./admin/admin.ts";
import { adminRefusal, corsHeaders, isPreflight, preflightHeaders } from "./cross-origin.ts";
import { type Connection, deliverOnSocket, type FixedHeaders, writeHead } from "./deliver.ts";
import { logLine } from "./log-line.ts";
import { plainUrl } from "./plain-url.ts";
import { discardBody, readBody } from "./read-body.ts";
import type { StateFile } from "./state-file.ts";

/** What every exchange needs. */
export interface Surroundings {
  readonly service: MockService;
  readonly admin: Admin;
  /** What the server was told to listen on. */
  readonly host: string;
  readonly stateFile: StateFile | undefined;
  readonly log: ((line: string) => void) | undefined;
  readonly closing: AbortSignal;
}

/** One exchange, on its way. */
interface Exchange extends Connection {
  /** Absolute. */
  readonly url: string;
  /** As hono reads it; absent for a plain request of the API. */
  readonly request?: Request;
  /** `performance.now()`; 0 without a log. */
  readonly startedAt: number;
}

const failureBody = (message: string): string => JSON.stringify(failureEnvelope(message));

const json = { "content-type": "application/json" };

/** The answer to a request that HTTP or this server refuses, before the service hears of it. */
export const refusalResponse = (status: number, message: string): Response =>
  new Response(failureBody(message), { status, headers: { ...corsHeaders, ...json } });

/** The path of an absolute URL starts at its third slash. */
const isBelow = (place: string, url: string): boolean => {
  const start = url.indexOf("/", 8);
  const end = start + place.length;
  return url.startsWith(place, start) && (end === url.length || "/?#".includes(url[end] ?? ""));
};

const isRead = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

const decoder = new TextDecoder();

/** What `@hono/node-server` calls. */
type FetchListener = (request: Request, env: HttpBindings | Http2Bindings) => Response;

/** What answers a server's requests, on their sockets. */
export interface Listener {
  /** Answers every request, once hono has read it. */
  readonly listener: FetchListener;
  /** Answers a request of the API that needs no reading, which costs as much; or says `false`. */
  readonly answerPlain: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

/** Answers the requests of a server. */
export const createListener = (around: Surroundings): Listener => {
  const { service, admin, host, stateFile, log, closing } = around;

  const tell = ({ url, incoming, startedAt }: Exchange, status: number, reply?: MockReply) => {
    if (log === undefined) return;
    const tookMs = performance.now() - startedAt;
    log(logLine(service, { incoming, url, status, tookMs, reply }));
  };

  const refuse = (exchange: Exchange, status: number, message: string, fixed: FixedHeaders) => {
    const body = failureBody(message);
    writeHead(exchange, status, json, Buffer.byteLength(body), fixed);
    exchange.outgoing.end(body);
    tell(exchange, status);
  };

  /** The rest of the body is still on its way: the answer comes before it, the end after it. */
  const refuseTooLarge = (exchange: Exchange): void => {
    const { outgoing, incoming } = exchange;
    const body = failureBody("Request body is too large");
    outgoing.shouldKeepAlive = false;
    writeHead(exchange, 413, json, Buffer.byteLength(body), corsHeaders);
    outgoing.write(body);
    discardBody(incoming);
    tell(exchange, 413);
  };

  /** Whoever is answered may rely on it: what a request has changed is on the disk by then. */
  const keep = (incoming: IncomingMessage): Promise<void> | undefined => {
    if (!isRead(incoming)) return stateFile?.save();
    stateFile?.saveSoon();
    return undefined;
  };

  const answerAdmin = async (exchange: Exchange, request: Request): Promise<void> => {
    const { incoming, outgoing, url } = exchange;
    const isArtwork = isBelow("/__mock/artwork", url);
    // Pictures belong to the answers: shown wherever those are, by whatever name it is reached.
    const refusal = isArtwork ? undefined : adminRefusal(incoming.headers, url, host);
    if (refusal !== undefined) return refuse(exchange, 403, refusal, {});
    const response = await admin.fetch(request);
    const body = Buffer.from(await response.arrayBuffer());
    await keep(incoming);
    const fixed = isArtwork ? corsHeaders : {};
    const length = incoming.method === "HEAD" ? undefined : body.length;
    writeHead(exchange, response.status, Object.fromEntries(response.headers), length, fixed);
    outgoing.end(body);
    // A page that looks every second would drown what a reader looks for.
    if (!isRead(incoming)) tell(exchange, response.status);
  };

  const answerPreflight = (exchange: Exchange): void => {
    writeHead(exchange, 204, preflightHeaders(exchange.incoming.headers), undefined);
    exchange.outgoing.end();
    tell(exchange, 204);
  };

  const answer = async (exchange: Exchange, body: Buffer): Promise<void> => {
    const { url, incoming } = exchange;
    const { method = "GET", headers } = incoming;
    const reply = service.replyNow({
      method,
      url,
      authorization: headers.authorization ?? null,
      body: decoder.decode(body),
    });
    const kept = keep(incoming);
    if (kept !== undefined) await kept;
    await deliverOnSocket(exchange, reply, corsHeaders);
    tell(exchange, reply.status, reply);
  };

  const serve = async (exchange: Exchange): Promise<void> => {
    const { request, incoming, url } = exchange;
    const admin = isBelow("/__mock", url) ? request : undefined;
    if (admin === undefined && isPreflight(incoming.method, incoming.headers)) {
      return answerPreflight(exchange);
    }
    const reading = readBody(incoming);
    const body = reading instanceof Promise ? await reading : reading;
    if (body.how === "gone") return;
    if (body.how === "too-large") return refuseTooLarge(exchange);
    if (admin === undefined) return answer(exchange, body.bytes);
    // hono's request takes its body from there.
    Object.assign(incoming, { rawBody: body.bytes });
    return answerAdmin(exchange, admin);
  };

  const start = (parts: Pick<Exchange, "url" | "request" | "incoming" | "outgoing">): void => {
    const startedAt = log === undefined ? 0 : performance.now();
    const exchange = { ...parts, closing, startedAt };
    serve(exchange).catch((error) => {
      log?.(`The mock failed: ${error instanceof Error ? error.message : String(error)}`);
      abandon(exchange);
    });
  };

  return {
    listener: (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      start({ url: request.url, request, incoming, outgoing });
      return RESPONSE_ALREADY_SENT;
    },
    answerPlain: (incoming, outgoing) => {
      const url = plainUrl(incoming);
      if (url !== undefined) start({ url, incoming, outgoing });
      return url !== undefined;
    },
  };
};

/** What is left to do when the mock itself has failed. */
const abandon = (exchange: Connection): void => {
  const { incoming, outgoing } = exchange;
  if (outgoing.headersSent) return void incoming.socket.destroy();
  writeHead(exchange, 500, json, undefined, corsHeaders);
  outgoing.end(failureBody("The mock failed"));
};
