import type { IncomingMessage, ServerResponse } from "node:http";
import { failureEnvelope } from "../../../src/contract/envelope.ts";
import { picturePath } from "../../http/picture-url.ts";
import type { MockReply } from "../../http/reply.ts";
import { createAdmin } from "./admin/admin.ts";
import { adminRefusal, corsHeaders, isPreflight, preflightHeaders } from "./cross-origin.ts";
import { type Connection, deliverOnSocket, type FixedHeaders, writeHead } from "./deliver.ts";
import { logLine, messageOf } from "./log-line.ts";
import { discardBody, readBody } from "./read-body.ts";
import { readTarget } from "./read-target.ts";
import type { MockServerConfig } from "./server-options.ts";
import type { StateFile } from "./state-file.ts";

/** A request on its connection. */
interface Asked extends Connection {
  readonly url: URL;
  /** Time by `performance.now()`; 0 without a log. */
  readonly startedAt: number;
}

/** Tells whether a path is the place or below it. */
const isBelow = (place: string, { pathname }: URL): boolean =>
  pathname.startsWith(place) &&
  (pathname.length === place.length || pathname[place.length] === "/");

const isRead = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

const decoder = new TextDecoder();

const writeRefusal = (
  connection: Connection,
  status: number,
  message: string,
  fixed: FixedHeaders = corsHeaders,
): void => {
  const body = JSON.stringify(failureEnvelope(message));
  const headers = { "content-type": "application/json" };
  writeHead(connection, status, headers, Buffer.byteLength(body), fixed);
  connection.outgoing.write(body);
};

const refuse = (...refusal: Parameters<typeof writeRefusal>): void => {
  writeRefusal(...refusal);
  refusal[0].outgoing.end();
};

/** Answers before the rest of the body has come, and ends the connection after it. */
const refuseTooLarge = (connection: Connection): void => {
  connection.outgoing.shouldKeepAlive = false;
  writeRefusal(connection, 413, "Request body is too large");
  discardBody(connection.incoming);
};

const answerPreflight = (connection: Connection): void => {
  const headers = preflightHeaders(connection.incoming.headers);
  writeHead(connection, 204, headers, undefined);
  connection.outgoing.end();
};

/** Makes the request that hono reads; `undefined` for a method that `Request` does not know. */
const toRequest = ({ incoming, url }: Asked, body: Buffer): Request | undefined => {
  const { method = "GET", headersDistinct } = incoming;
  if (method === "TRACE") return undefined;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const sent = isRead(incoming) ? {} : { body: new Uint8Array(body) };
  return new Request(url, { method, headers, ...sent });
};

/** Gives the length that an answer without its body tells. */
const lengthOf = ({ headers }: Response): number | undefined => {
  const length = headers.get("content-length");
  return length === null ? undefined : Number(length);
};

/** Ends a request when the mock itself has failed. */
const abandon = (connection: Connection): void => {
  const { incoming, outgoing } = connection;
  if (outgoing.headersSent) incoming.socket.destroy();
  else refuse(connection, 500, "The mock failed");
};

/**
 * Answers the requests of a server: the API's by the service, those below "/__mock" by hono.
 *
 * @param closing - Aborts when the server closes.
 */
export const createListener = (
  { service, host, ownHost, log }: Omit<MockServerConfig, "stateFile">,
  stateFile: StateFile | undefined,
  closing: AbortSignal,
): ((incoming: IncomingMessage, outgoing: ServerResponse) => void) => {
  const admin = createAdmin(service);

  const tell = ({ url, incoming, startedAt }: Asked, status: number, reply?: MockReply): void => {
    if (log === undefined) return;
    const tookMs = performance.now() - startedAt;
    log(logLine(service, { incoming, url, status, tookMs, reply }));
  };

  /** Saves the state: a client that has its answer may rely on the change to be on the disk. */
  const keep = (incoming: IncomingMessage): Promise<void> | undefined => {
    if (!isRead(incoming)) return stateFile?.save();
    stateFile?.saveSoon();
    return undefined;
  };

  const answerAdmin = async (asked: Asked, sent: Buffer): Promise<number> => {
    const { incoming, outgoing, url } = asked;
    // Pictures belong to the answers of the API: any page may show them, by any name of the host.
    const isArtwork = isBelow(picturePath, url);
    const refusal = isArtwork ? undefined : adminRefusal(incoming.headers, url, host);
    if (refusal !== undefined) {
      refuse(asked, 403, refusal, {});
      return 403;
    }
    const request = toRequest(asked, sent);
    if (request === undefined) {
      refuse(asked, 405, "The admin does not answer TRACE", {});
      return 405;
    }
    const response = await admin.fetch(request);
    const body = Buffer.from(await response.arrayBuffer());
    await keep(incoming);
    const length = incoming.method === "HEAD" ? lengthOf(response) : body.length;
    const fixed = isArtwork ? corsHeaders : {};
    writeHead(asked, response.status, Object.fromEntries(response.headers), length, fixed);
    outgoing.end(body);
    return response.status;
  };

  const answerApi = async (asked: Asked, sent: Buffer): Promise<void> => {
    const { method = "GET", headers } = asked.incoming;
    const reply = service.replyNow({
      method,
      url: asked.url,
      authorization: headers.authorization ?? null,
      body: sent.length === 0 ? "" : decoder.decode(sent),
    });
    const kept = keep(asked.incoming);
    if (kept !== undefined) await kept;
    await deliverOnSocket(asked, reply, corsHeaders);
    tell(asked, reply.status, reply);
  };

  const serve = async (asked: Asked): Promise<void> => {
    const { incoming, url } = asked;
    const isAdmin = isBelow("/__mock", url);
    if (!isAdmin && isPreflight(incoming.method, incoming.headers)) {
      answerPreflight(asked);
      return tell(asked, 204);
    }
    const reading = readBody(incoming);
    const body = reading instanceof Promise ? await reading : reading;
    if (body === "gone") return;
    if (body === "too-large") {
      refuseTooLarge(asked);
      return tell(asked, 413);
    }
    if (!isAdmin) return answerApi(asked, body);
    const status = await answerAdmin(asked, body);
    // The page asks every second: its looks would hide the other lines of the log.
    if (!isRead(incoming) || status === 403) tell(asked, status);
  };

  return (incoming, outgoing) => {
    const startedAt = log === undefined ? 0 : performance.now();
    const url = readTarget(incoming, ownHost);
    if (url === undefined) return refuse({ incoming, outgoing, closing }, 400, "Malformed request");
    const asked = { url, incoming, outgoing, closing, startedAt };
    serve(asked).catch((error) => {
      log?.(`The mock failed: ${messageOf(error)}`);
      abandon(asked);
    });
  };
};
