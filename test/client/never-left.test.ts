import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";
import { makeSelfSigned } from "../helpers/self-signed.ts";

const servers: { close(): unknown; closeAllConnections(): void }[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const listenTls = async () => {
  const received: string[] = [];
  const server = createServer(makeSelfSigned(), (request, response) => {
    received.push(request.url ?? "");
    response.writeHead(202).end();
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { port: (server.address() as AddressInfo).port, received };
};

describe("a submission that never left", () => {
  it("is not-sent when the certificate is self-signed", async () => {
    const { port, received } = await listenTls();
    const client = clientOf({ url: `https://localhost:${port}` }, { maxRetries: 0 });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(received).toEqual([]);
    expect(error).toMatchObject({ code: "connection", outcome: "not-sent" });
    expect(error).toMatchObject({ cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
    expect(error.message).toMatch(/^POST \/v1\/jobs got no answer: self-signed certificate/);
    expect(error.message).not.toContain(doubtOfSubmission);
  });

  it("is tried once when the certificate is not trusted, and so is a read", async () => {
    const { port } = await listenTls();
    const { jobs } = clientOf({ url: `https://localhost:${port}` }, { maxRetries: 2 });

    for (const call of [() => jobs.submit(paidJob), () => jobs.list()]) {
      expect(await rejection(call())).toMatchObject({ code: "connection", attempts: 1 });
    }
  });

  it("advises when https meets a port that speaks http", async () => {
    const server = await listen(queued());
    const client = clientOf({ url: server.url.replace("http:", "https:") }, { maxRetries: 0 });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(server.received).toEqual([]);
    expect(error.code).toBe("connection");
    expect(error.message).toContain(": is baseUrl http, not https?");
  });

  it.each<[string, string, () => Server]>([
    ["speaks no TLS", "ERR_SSL_WRONG_VERSION_NUMBER", () => createHttpServer()],
    [
      "speaks old TLS alone",
      "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
      () => createServer({ ...makeSelfSigned(), minVersion: "TLSv1", maxVersion: "TLSv1.1" }),
    ],
    [
      "ends the connection before TLS is there",
      "ECONNRESET",
      () => createNetServer((socket) => socket.once("data", () => socket.destroy())),
    ],
  ])("is not-sent when the port %s", async (_, code, serverOf) => {
    const received: unknown[] = [];
    const server = serverOf().on("request", (request) => received.push(request.url));
    servers.push({ close: () => server.close(), closeAllConnections: () => {} });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const client = clientOf({ url: `https://localhost:${port}` }, { maxRetries: 0 });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "connection", outcome: "not-sent", cause: { code } });
    expect(error.message).not.toContain(doubtOfSubmission);
    expect(received).toEqual([]);
  });

  it("is tried once when the port speaks no TLS, and so is a read", async () => {
    const server = await listen(queued());
    const { jobs } = clientOf({ url: server.url.replace("http:", "https:") }, { maxRetries: 2 });

    for (const call of [() => jobs.submit(paidJob), () => jobs.list()]) {
      expect(await rejection(call())).toMatchObject({ code: "connection", attempts: 1 });
    }
  });

  it("is not-sent when a proxy refuses to open the tunnel", async () => {
    const connects: string[] = [];
    const proxy = createHttpServer().on("connect", (request, socket) => {
      connects.push(request.url ?? "");
      socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    });
    servers.push(proxy);
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const { port } = proxy.address() as AddressInfo;
    const script = new URL("children/through-proxy.ts", import.meta.url);

    const { lines, errors } = await runNode(script, [`http://127.0.0.1:${port}`]);

    expect(errors).toBe("");
    expect(lines).toEqual(["connection not-sent 1"]);
    expect(connects).toEqual(["ads.test:443"]);
  });

  it("names a fetch that takes no Request", async () => {
    const fetch = async (input: Request | string): Promise<Response> => {
      new URL(String(input)); // as another realm's fetch does
      throw new Error("never reached");
    };
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error.message).toBe(
      "POST /v1/jobs got no answer: Invalid URL: your fetch does not take a Request; wrap it, " +
        `and hand it request.url${doubtOfSubmission}`,
    );
  });
});

describe("a header that the connection sets", () => {
  const names = [
    ...["connection", "content-length", "expect", "keep-alive"],
    ...["te", "trailer", "transfer-encoding", "upgrade"],
  ];

  it.each(names)("is refused by its name, and nothing is sent (%s)", async (name) => {
    const server = await listen(queued());
    const headers = { [name.toUpperCase()]: "1" };
    const refusal = `headers "${name.toUpperCase()}" cannot be set: the runtime sets the connection's headers`;

    const error = await rejection(clientOf(server).jobs.submit(paidJob, { headers }));

    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent", message: refusal });
    expect(() => clientOf(server, { headers })).toThrow(refusal);
    expect(server.received).toEqual([]);
  });
});
