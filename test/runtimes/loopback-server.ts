import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { makeSelfSigned } from "../helpers/self-signed.ts";

export type Protocol = "HTTP/1.1" | "HTTP/2";

/** The TCP connection that a request came over, below TLS. */
export interface Connection {
  readonly socket: Socket;
  /** Number of requests that have come over the connection. */
  requests: number;
}

/** Serves one request, of either protocol. */
export type Serve = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  connection: Connection,
) => Promise<void>;

/** One certificate serves all servers of a test file. */
let certificate: ReturnType<typeof makeSelfSigned> | undefined;

const sockets = new Set<Socket>();
const servers: Server[] = [];

/** Ends all servers of this file, and their connections. */
export const closeServers = (): void => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
};

/** Reads a request's body to its end. */
export const readText = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** Listens on a free port of loopback, and gives the URL. */
export const listenOnLoopback = async (protocol: Protocol, serve: Serve): Promise<string> => {
  /** TCP connections by the client's port, because a TLS socket doesn't expose its connection. */
  const connections = new Map<number | undefined, Connection>();
  const find = (port: number | undefined): Connection => {
    const connection = connections.get(port);
    if (connection === undefined) throw new Error("The connection is not known.");
    return connection;
  };
  // A client may go away in the middle of its request. That request does not count.
  const listener = (request: Parameters<Serve>[0], response: Parameters<Serve>[1]): void =>
    void serve(request, response, find(request.socket.remotePort)).catch(() => {});

  let server: Server;
  if (protocol === "HTTP/1.1") server = createServer(listener);
  else {
    certificate ??= makeSelfSigned("127.0.0.1");
    // A fault may tell the client to come back by HTTP/1.1.
    server = createSecureServer({ ...(await certificate), allowHTTP1: true }, listener);
    server.on("sessionError", () => {});
  }
  server.on("connection", (socket) => {
    sockets.add(socket);
    connections.set(socket.remotePort, { socket, requests: 0 });
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return `${protocol === "HTTP/1.1" ? "http" : "https"}://127.0.0.1:${port}`;
};
