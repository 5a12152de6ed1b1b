import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import type { Protocol } from "./loopback-server.ts";

/** The connection and the answer that a fault may spoil. The request has been read to its end. */
export interface Exchange {
  /** The TCP connection, below TLS. */
  readonly socket: Socket;
  readonly response: ServerResponse | Http2ServerResponse;
}

export type Fault = (exchange: Exchange) => void;

/** A runtime that repeats some POSTs by itself, though not the client's POSTs in Node and Deno. */
export type Repeater = "Chromium" | "Node" | "Deno";

/** Milliseconds after which a client has certainly begun to wait for the answer. */
const laterMs = 300;

const reset: Fault = ({ socket }) => void socket.resetAndDestroy();
const close: Fault = ({ socket }) => void socket.end();
const closeEarly: Fault = ({ socket }) => void socket.end("HTTP/1.1 20");

const later =
  (fault: Fault): Fault =>
  (exchange) =>
    void setTimeout(fault, laterMs, exchange);

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  ({ response }) => {
    response.statusCode = code;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end();
  };

const streamOf = (response: Exchange["response"]) => {
  if (!("stream" in response)) throw new Error("This connection is not HTTP/2.");
  return response.stream;
};

const resetStream =
  (code: number): Fault =>
  ({ response }) =>
    streamOf(response).close(code);

/** Sends GOAWAY, then closes. Its last stream is the POST's own stream plus `offset`. */
const goAway =
  (offset: number): Fault =>
  ({ socket, response }) => {
    const { session, id = 0 } = streamOf(response);
    session?.goaway(constants.NGHTTP2_NO_ERROR, id + offset);
    setTimeout(() => socket.end(), 20);
  };

/** A fault and its name, which ends the title of a test: "… when the service <name>". */
export interface NamedFault {
  readonly name: string;
  readonly fault: Fault;
  /**
   * Runtimes that repeat a POST with a text body after this fault. Outside browsers, the client
   * sends another kind of body. In a page it can't prevent the repeat: Chromium refuses a streamed
   * body over HTTP/1.1. Over HTTP/2 such a body and a fault can crash Chromium's network service,
   * which ends the requests of all tabs.
   */
  readonly repeatedBy: readonly Repeater[];
}

const table = (...rows: [name: string, fault: Fault, ...repeatedBy: Repeater[]][]): NamedFault[] =>
  rows.map(([name, fault, ...repeatedBy]) => ({ name, fault, repeatedBy }));

const { NGHTTP2_REFUSED_STREAM: refused, NGHTTP2_HTTP_1_1_REQUIRED: needsHttp1 } = constants;

export const faultsOver: Readonly<Record<Protocol, readonly NamedFault[]>> = {
  "HTTP/1.1": table(
    ["resets the connection", reset, "Chromium", "Deno"],
    ["closes the connection", close, "Chromium", "Deno"],
    ["resets the connection after 300 ms", later(reset), "Chromium", "Deno"],
    ["closes the connection after 300 ms", later(close), "Chromium", "Deno"],
    ["closes the connection inside the status line", closeEarly, "Deno"],
    ["answers 408 and closes", status(408, { connection: "close" }), "Chromium"],
    ["answers 421", status(421), "Chromium", "Node"],
  ),
  "HTTP/2": table(
    ["resets the connection", reset, "Chromium", "Deno"],
    ["closes the connection", close, "Chromium"],
    ["sends GOAWAY with an older stream as the last and closes", goAway(-2), "Chromium", "Deno"],
    ["sends GOAWAY with this stream as the last and closes", goAway(0), "Chromium"],
    ["answers 421", status(421), "Chromium"],
    ["resets the stream with REFUSED_STREAM", resetStream(refused), "Chromium", "Deno"],
    ["resets the stream with HTTP_1_1_REQUIRED", resetStream(needsHttp1), "Chromium"],
  ),
};

/** Finds a fault of HTTP/1.1. */
export const faultByName = (name: string): Fault | undefined =>
  faultsOver["HTTP/1.1"].find((one) => one.name === name)?.fault;
