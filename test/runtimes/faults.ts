import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";

/** The connection and the answer that a fault may spoil. The request has been read to its end. */
export interface Exchange {
  /** The TCP connection, below TLS. */
  readonly socket: Socket;
  readonly response: ServerResponse | Http2ServerResponse;
}

export type Fault = (exchange: Exchange) => void;

/** Long enough for a client to have begun to wait for the answer. */
const laterMs = 300;

const reset: Fault = ({ socket }) => {
  socket.resetAndDestroy();
};

const close: Fault = ({ socket }) => {
  socket.end();
};

const later =
  (fault: Fault): Fault =>
  (exchange) => {
    setTimeout(fault, laterMs, exchange);
  };

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  ({ response }) => {
    response.statusCode = code;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end();
  };

/** The title of a test says "… when the service " and then the fault's name. */
export const http1Faults = {
  "resets the connection": reset,
  "closes the connection": close,
  "resets the connection after 300 ms": later(reset),
  "closes the connection after 300 ms": later(close),
  "closes the connection inside the status line": ({ socket }) => {
    socket.end("HTTP/1.1 20");
  },
  "answers 408 and closes": status(408, { connection: "close" }),
  "answers 421": status(421),
} as const satisfies Record<string, Fault>;

const streamOf = (response: Exchange["response"]) => {
  if (!("stream" in response)) throw new Error("This connection is not HTTP/2.");
  return response.stream;
};

const resetStream =
  (code: number): Fault =>
  ({ response }) => {
    streamOf(response).close(code);
  };

/** Says goodbye, and closes once that has left. `offset` counts from the POST's own stream. */
const goAway =
  (offset: number): Fault =>
  ({ socket, response }) => {
    const { session, id = 0 } = streamOf(response);
    session?.goaway(constants.NGHTTP2_NO_ERROR, id + offset);
    setTimeout(() => socket.end(), 20);
  };

export const http2Faults = {
  "resets the connection": reset,
  "closes the connection": close,
  "sends GOAWAY with an older stream as the last and closes": goAway(-2),
  "sends GOAWAY with this stream as the last and closes": goAway(0),
  "answers 421": status(421),
  "resets the stream with REFUSED_STREAM": resetStream(constants.NGHTTP2_REFUSED_STREAM),
  "resets the stream with HTTP_1_1_REQUIRED": resetStream(constants.NGHTTP2_HTTP_1_1_REQUIRED),
} as const satisfies Record<string, Fault>;

export type Http1Fault = keyof typeof http1Faults;
export type Http2Fault = keyof typeof http2Faults;
