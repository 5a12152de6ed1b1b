import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll } from "vitest";

/** One request, as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query, exactly as on the wire. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** `performance.now()` when the request was complete. */
  readonly at: number;
}

/** Answers one request, or leaves it without an answer. */
export type Answer = (response: ServerResponse, request: Received) => void;

export interface HttpServer {
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Closes the server before the end of the tests, so that nothing listens at its address. */
  readonly close: () => void;
}

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/**
 * Starts a server on loopback that gives each request the next answer, and repeats the last answer.
 * The server closes after the tests of the file.
 */
export const listen = async (...answers: Answer[]): Promise<HttpServer> => {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the client went away
    }
    const { method = "", url = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    const complete = { method, url, headers, body, at: performance.now() };
    const answer = answers[Math.min(received.push(complete), answers.length) - 1];
    answer?.(response, complete);
  });
  // Node closes an idle connection after 5 seconds, but a busy client may pause for longer.
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  closers.push(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, sockets, close };
};

/** Finds a port of loopback on which nothing listens. */
export const freePort = async (): Promise<number> => {
  const { url, close } = await listen();
  close();
  return Number(new URL(url).port);
};
