import { once } from "node:events";
import { createServer as createHttpServer, setGlobalProxyFromEnv } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { queued } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";
import { makeSelfSigned } from "../helpers/self-signed.ts";

const portOf = async (server: Server): Promise<number> => {
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
};

describe("a submission that never left", () => {
  const certificate = makeSelfSigned();

  it.each<[string, string, boolean, string, () => Server]>([
    [
      "has a self-signed certificate",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      false,
      ": self-signed certificate",
      () => createServer(certificate),
    ],
    [
      "speaks no TLS",
      "ERR_SSL_WRONG_VERSION_NUMBER",
      false,
      ": is baseUrl http, not https?",
      () => createHttpServer(),
    ],
    [
      "speaks old TLS alone",
      "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
      true,
      "",
      () => createServer({ ...certificate, minVersion: "TLSv1", maxVersion: "TLSv1.1" }),
    ],
    [
      "ends the connection before TLS is there",
      "ECONNRESET",
      true,
      "",
      () => createNetServer((socket) => socket.once("data", () => socket.destroy())),
    ],
  ])("is not-sent when the port %s (%s)", async (_, code, isPassing, words, serverOf) => {
    const received: unknown[] = [];
    const server = serverOf().on("request", (request) => received.push(request.url));
    const client = clientOf(
      { url: `https://localhost:${await portOf(server)}` },
      { maxRetries: 1 },
    );

    const error = await rejection(client.jobs.submit(paidJob));

    // A further attempt would end alike, and so would one of a read.
    const attempts = isPassing ? 2 : 1;
    expect(error).toMatchObject({
      code: "connection",
      outcome: "not-sent",
      attempts,
      cause: { code },
    });
    expect(error.message).toMatch(/^POST \/v1\/jobs got no answer: /);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain(doubtOfSubmission);
    expect(await rejection(client.jobs.list())).toMatchObject({ code: "connection", attempts });
    expect(received).toEqual([]);
  });

  it("is not-sent when a proxy refuses to open the tunnel", async () => {
    const connects: string[] = [];
    const proxy = createHttpServer().on("connect", (request, socket) => {
      connects.push(request.url ?? "");
      socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    });
    const url = `http://127.0.0.1:${await portOf(proxy)}`;
    onTestFinished(setGlobalProxyFromEnv({ https_proxy: url }));
    const client = clientOf({ url: "https://ads.test" }, { maxRetries: 0 });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 1 });
    expect(connects).toEqual(["ads.test:443"]);
  });
});

it.each([
  ...["connection", "content-length", "expect", "keep-alive"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
])("refuses the header %s, which the connection sets, and sends nothing", async (name) => {
  const server = await listen(queued());
  const headers = { [name.toUpperCase()]: "1" };
  const refusal = `headers "${name.toUpperCase()}" cannot be set: the runtime sets the connection's headers`;

  const error = await rejection(clientOf(server).jobs.submit(paidJob, { headers }));

  expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent", message: refusal });
  expect(() => clientOf(server, { headers })).toThrow(refusal);
  expect(server.received).toEqual([]);
});
