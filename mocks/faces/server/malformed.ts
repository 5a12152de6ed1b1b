import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { failureEnvelope } from "../../../src/contract/envelope.ts";
import { corsHeaders } from "../../http/preflight.ts";

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A socket of Node's server, with the response that it writes. */
type Answering = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** Writes a refusal in the envelope on a socket that Node has given up, and ends the connection. */
const endWith = (socket: Duplex, status: number, message: string, more = {}): void => {
  const body = JSON.stringify(failureEnvelope(message));
  const headers = {
    ...corsHeaders,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`;
  socket.end(head + body, () => socket.destroy());
};

/** Answers bytes that are no HTTP request, in the envelope, and ends the connection. */
export const answerMalformed = (error: NodeJS.ErrnoException, socket: Answering): void => {
  // While an answer is on its way, the client would take a second one for a part of it.
  const isAnswering = socket._httpMessage?.headersSent === true;
  if (!socket.writable || isAnswering || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ""] ?? 400;
  endWith(socket, status, STATUS_CODES[status] ?? "Bad Request");
};

/** Answers CONNECT, which asks for a tunnel to somewhere else. */
export const refuseTunnel = (_: IncomingMessage, socket: Duplex): void => {
  socket.on("error", () => socket.destroy());
  const allow = "GET, HEAD, POST, PUT, PATCH, DELETE";
  endWith(socket, 405, "The mock is no proxy, and answers no CONNECT", { allow });
};

/** Answers a request with an unknown `Expect`. */
export const refuseExpectation = (_: IncomingMessage, outgoing: ServerResponse): void => {
  outgoing.writeHead(417, { ...corsHeaders, "content-type": "application/json" });
  outgoing.end(JSON.stringify(failureEnvelope("Expectation Failed")));
};

/**
 * Tells what is wrong with the `Host` headers of a request; `undefined` when nothing is. With two
 * of them, a proxy and the mock may each believe another one.
 */
export const hostMistake = ({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, "rawHeaders" | "httpVersion">): string | undefined => {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1) return "The request has more than one Host header";
  return hosts === 0 && httpVersion !== "1.0" ? "The request has no Host header" : undefined;
};
