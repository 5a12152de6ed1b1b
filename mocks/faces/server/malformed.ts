import { type ServerResponse, STATUS_CODES } from "node:http";
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
const endWith = (socket: Duplex, status: number, message: string): void => {
  const body = JSON.stringify(failureEnvelope(message));
  const headers = {
    ...corsHeaders,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
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
