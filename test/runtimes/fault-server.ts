import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { generate } from "selfsigned";
import type { Fault } from "./faults.ts";

/** One POST that the service has read to its end. */
export interface Post {
  readonly body: string;
  readonly httpVersion: string;
  readonly contentLength: string | undefined;
  /** True when an earlier request came over the same connection. */
  readonly reused: boolean;
}

export interface FaultServer {
  readonly url: string;
  readonly posts: readonly Post[];
}

export type Protocol = "HTTP/1.1" | "HTTP/2";

/** Fails at this POST, which comes over a connection that an earlier one has used. */
const failingPost = 2;

const page = "<!doctype html><link rel=icon href=data:,><title>Fault server</title>";

const makeCertificate = async () => {
  const subject = [{ name: "commonName", value: "127.0.0.1" }];
  const { private: key, cert } = await generate(subject, { algorithm: "sha256", keyType: "ec" });
  return { key, cert };
};

/** One certificate serves all servers of a test file. */
let certificate: ReturnType<typeof makeCertificate> | undefined;

const readText = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const sockets = new Set<Socket>();
const servers: Server[] = [];

/** Ends all servers of this file, and their connections. */
export const closeFaultServers = (): void => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
};

/** Starts a service on loopback whose second POST meets the fault; all else goes well. */
export const startFaultServer = async (protocol: Protocol, fault: Fault): Promise<FaultServer> => {
  const posts: Post[] = [];
  /** TCP connections by the client's port: TLS does not give them away. */
  const connections = new Map<number | undefined, { socket: Socket; requests: number }>();

  const serve = async (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): Promise<void> => {
    const connection = connections.get(request.socket.remotePort);
    if (connection === undefined) throw new Error("The connection is not known.");
    const reused = connection.requests++ > 0;
    const { method, url, headers, httpVersion } = request;
    const answer = (status: number, type: string, body: string): void => {
      response.statusCode = status;
      response.setHeader("content-type", type);
      response.end(body);
    };
    const succeed = (status: number, data: unknown): void =>
      answer(status, "application/json", JSON.stringify({ success: true, data, error: null }));

    if (url === "/") return answer(200, "text/html", page);
    const body = await readText(request);
    if (method !== "POST") return succeed(200, { jobs: [], pagination: { total: 0 } });
    posts.push({ body, httpVersion, contentLength: headers["content-length"], reused });
    if (posts.length === failingPost) return fault({ socket: connection.socket, response });
    succeed(202, { job_id: `job-${posts.length}`, status: "queued" });
  };
  // A client that goes away in the middle of its request has sent no whole POST.
  const listener = (request: Parameters<typeof serve>[0], response: Parameters<typeof serve>[1]) =>
    void serve(request, response).catch(() => {});

  let server: Server;
  if (protocol === "HTTP/1.1") server = createServer(listener);
  else {
    certificate ??= makeCertificate();
    // HTTP/1.1 is for a client that is told to come back with it.
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
  const scheme = protocol === "HTTP/1.1" ? "http" : "https";
  return { url: `${scheme}://127.0.0.1:${port}`, posts };
};
