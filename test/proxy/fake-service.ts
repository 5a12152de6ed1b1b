import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import type { Answer, Received } from "../helpers/http-server.ts";
import { createServiceState, envelopeOf } from "./service-state.ts";

/** The key that the proxy adds. */
export const secretKey = "test-proxy-secret-4711";

/** One request that the service meets otherwise than it should. */
export interface Fault {
  /** It carries the request out, whatever it then answers. */
  readonly charges?: boolean;
  /** It answers when only the headers have come. */
  readonly isUnread?: boolean;
  /** It works until then. */
  readonly until?: Promise<unknown>;
  /** Its answer instead of its own. */
  readonly answer?: Answer;
  /** A change of its own answer. */
  readonly edit?: (envelope: string) => string;
  /** Headers beside its own. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** Closes something after the tests of the file. */
export const closeLater = (close: () => void): void => void closers.push(close);

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** A service on loopback that charges for what it has read, and fails when it is told to. */
export const openService = async () => {
  const state = createServiceState();
  const received: Received[] = [];
  const faults: Fault[] = [];
  let arrived = 0;
  let cuts = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    arrived++;
    response.on("close", () => {
      if (!response.writableEnded) cuts++;
    });
    const { method = "", url = "", headers } = request;
    const fault = faults.shift() ?? {};
    const body = fault.isUnread ? "" : await readBody(request);
    const complete = { method, url, headers, body, at: performance.now() };
    received.push(complete);
    const carriesOut = fault.charges ?? fault.answer === undefined;
    const own = carriesOut ? state.handle(method, url, body) : undefined;
    await fault.until;
    if (fault.answer || !own) return fault.answer?.(response, complete);
    response.writeHead(own.status, { "content-type": "application/json", ...fault.headers });
    response.end((fault.edit ?? String)(envelopeOf(own)));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closeLater(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state,
    /** Requests that were read. */
    received,
    /** Things that were made, and paid. */
    charges: state.charges,
    /** Plays a fault for each of the next requests. */
    play: (...next: readonly Fault[]) => void faults.push(...next),
    /** POSTs that were read. */
    posts: () => received.filter(({ method }) => method === "POST"),
    /** Number of all requests whose headers came. */
    arrivals: () => arrived,
    /** Number of connections that broke before the service had answered. */
    cuts: () => cuts,
  };
};
