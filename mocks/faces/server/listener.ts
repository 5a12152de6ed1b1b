import type { IncomingMessage, ServerResponse } from "node:http";
import { picturePath } from "../../http/picture-url.ts";
import { corsHeaders, isPreflight } from "../../http/preflight.ts";
import type { MockReply } from "../../http/reply.ts";
import { createAdmin } from "./admin/admin.ts";
import { adminRefusal } from "./cross-origin.ts";
import { type Connection, deliverOnSocket, writeHead } from "./deliver.ts";
import { logLine, messageOf } from "./log-line.ts";
import { readBody } from "./read-body.ts";
import { readTarget } from "./read-target.ts";
import { answerPreflight, refuse, refuseTooLarge } from "./refusals.ts";
import type { MockServerConfig } from "./server-options.ts";

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

/** Whether a person opens the server's address in a browser, to see the page. */
const isVisit = (incoming: IncomingMessage, { pathname }: URL): boolean =>
  pathname === "/" &&
  isRead(incoming) &&
  incoming.headers.authorization === undefined &&
  incoming.headers.accept?.includes("text/html") === true;

const decoder = new TextDecoder();

/** Names and values of headers, which are paired when somebody looks. */
const pairsOf = ({ rawHeaders }: IncomingMessage) => ({
  *[Symbol.iterator](): Generator<readonly [string, string]> {
    for (let place = 0; place < rawHeaders.length; place += 2) {
      yield [rawHeaders[place] ?? "", rawHeaders[place + 1] ?? ""];
    }
  },
});

/** Makes the request that hono reads. `Request` does not know TRACE, and no route has OPTIONS. */
const toRequest = ({ incoming, url }: Asked, body: Buffer): Request => {
  const { method: asked = "GET", headersDistinct } = incoming;
  const method = asked === "TRACE" ? "OPTIONS" : asked;
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
  { service, host, ownHost, publicUrl, log, warn }: MockServerConfig,
  closing: AbortSignal,
): ((incoming: IncomingMessage, outgoing: ServerResponse) => void) => {
  const admin = createAdmin(service);

  /**
   * Gives the address of the pictures in an answer. A proxy may send its own `Host`, and its own
   * port with that; it serves no pictures.
   */
  const picturesAt = (incoming: IncomingMessage, { port, origin }: URL): string => {
    if (publicUrl !== undefined) return publicUrl;
    const { localPort = 80 } = incoming.socket;
    return Number(port || 80) === localPort ? origin : `http://${ownHost}:${localPort}`;
  };

  const tell = ({ url, incoming, startedAt }: Asked, status: number, reply?: MockReply): void => {
    if (log === undefined) return;
    const tookMs = performance.now() - startedAt;
    log(logLine(service, { incoming, url, status, tookMs, reply }));
  };

  const askAdmin = async (asked: Asked, sent: Buffer): Promise<number> => {
    const { incoming, outgoing, url } = asked;
    // Pictures belong to the answers of the API: any page may show them, by any name of the host.
    const isArtwork = isBelow(picturePath, url);
    const refusal = isArtwork ? undefined : adminRefusal(incoming, url, host);
    if (refusal !== undefined) {
      refuse(asked, 403, refusal, {});
      return 403;
    }
    const response = await admin.fetch(toRequest(asked, sent));
    const body = Buffer.from(await response.arrayBuffer());
    const length = incoming.method === "HEAD" ? lengthOf(response) : body.length;
    const fixed = isArtwork ? corsHeaders : {};
    writeHead(asked, response.status, Object.fromEntries(response.headers), length, fixed);
    outgoing.end(body);
    return response.status;
  };

  const answerAdmin = async (asked: Asked, sent: Buffer): Promise<void> => {
    const status = await askAdmin(asked, sent);
    // The page asks every second: its polls would hide the other lines of the log.
    if (!isRead(asked.incoming) || status === 403) tell(asked, status);
  };

  const answerApi = (asked: Asked, sent: Buffer): Promise<void> | void => {
    const { method = "GET", headers } = asked.incoming;
    const reply = service.replyNow({
      method,
      url: asked.url,
      authorization: headers.authorization ?? null,
      headers: pairsOf(asked.incoming),
      body: sent.length === 0 ? "" : decoder.decode(sent),
      picturesAt: picturesAt(asked.incoming, asked.url),
    });
    const delivered = deliverOnSocket(asked, reply, corsHeaders);
    return delivered === undefined
      ? tell(asked, reply.status, reply)
      : delivered.then(() => tell(asked, reply.status, reply));
  };

  const serve = (asked: Asked): void => {
    const { incoming, url } = asked;
    const isAdmin = isBelow("/__mock", url);
    if (!isAdmin && isPreflight(incoming.method, incoming.headers)) {
      answerPreflight(asked);
      return void tell(asked, 204);
    }
    if (isVisit(incoming, url)) {
      writeHead(asked, 302, { location: "/__mock/", vary: "accept" }, undefined);
      asked.outgoing.end();
      return;
    }
    const fail = (error: unknown): void => {
      warn(`The mock failed: ${messageOf(error)}`);
      abandon(asked);
    };
    readBody(incoming, (body) => {
      if (body === undefined) {
        refuseTooLarge(asked);
        return tell(asked, 413);
      }
      try {
        (isAdmin ? answerAdmin(asked, body) : answerApi(asked, body))?.catch(fail);
      } catch (error) {
        fail(error);
      }
    });
  };

  return (incoming, outgoing) => {
    const startedAt = log === undefined ? 0 : performance.now();
    const url = readTarget(incoming, ownHost);
    if (url === undefined) {
      outgoing.shouldKeepAlive = false;
      return refuse({ incoming, outgoing, closing }, 400, "Malformed request");
    }
    serve({ url, incoming, outgoing, closing, startedAt });
  };
};
