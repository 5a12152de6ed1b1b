import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { abortWhen } from "../helpers/aborts.ts";
import {
  drip,
  failure,
  queued,
  silence,
  stallBody,
  stallHeaders,
  success,
} from "../helpers/answers.ts";
import { clientOf, paidJob, pause, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

describe("an abort", () => {
  it("while the connection is made ends the call", async () => {
    // A TLS handshake that nobody answers.
    const connected = Promise.withResolvers<Socket>();
    const server = createTcpServer(connected.resolve);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const client = clientOf({ url: `https://127.0.0.1:${port}` });

    const error = await abortWhen(connected.promise, (signal) =>
      client.jobs.submit(paidJob, { signal }),
    );

    expect(error.outcome).toBe("unknown");
    (await connected.promise).destroy();
    server.close();
  });

  const faults: [string, Answer, number | undefined][] = [
    ["while headers are awaited", silence, undefined],
    ["midway in the headers", stallHeaders, undefined],
    ["midway in a body that stalls", stallBody(202), 202],
    ["midway in a body that drips", drip(202), 202],
    ["midway in the body of a failure", stallBody(503), 503],
  ];

  it.each(faults)("%s ends the call and the connection", async (_, fault, status) => {
    const arrived = Promise.withResolvers<void>();
    const server = await listen((response, request) => {
      fault(response, request);
      setTimeout(arrived.resolve, 40);
    });

    const error = await abortWhen(arrived.promise, (signal) =>
      clientOf(server).jobs.submit(paidJob, { signal, maxRetries: 10 }),
    );
    await expect.poll(() => server.sockets.size).toBe(0);

    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    expect(error.status).toBe(status);
    expect(error.message).toBe(`POST /v1/jobs was aborted${doubtOfSubmission}`);
    expect(server.received).toHaveLength(1);
  });

  it("while waiting for the next attempt sends nothing more", async () => {
    const waiting = Promise.withResolvers<void>();
    const server = await listen(failure(503, "wait", { "retry-after": "1" }), success({}));
    const client = clientOf(server, { hooks: { onRetry: () => waiting.resolve() } });

    const error = await abortWhen(waiting.promise, (signal) => client.jobs.get("j", { signal }));
    await pause(1_050);

    expect(error).toMatchObject({ attempts: 1, jobId: "j" });
    expect(server.received).toHaveLength(1);
  });

  it("while a refused submission waits leaves it refused", async () => {
    const waiting = Promise.withResolvers<void>();
    const server = await listen(failure(429, "wait", { "retry-after": "30" }), queued());
    const client = clientOf(server, { hooks: { onRetry: () => waiting.resolve() } });

    const error = await abortWhen(waiting.promise, (signal) =>
      client.jobs.submit(paidJob, { signal }),
    );

    expect(error.outcome).toBe("refused");
    expect(error.message).toBe("POST /v1/jobs was aborted");
  });

  it("of a fetch that ignores the signal ends the call", async () => {
    const called = Promise.withResolvers<void>();
    const fetch = () => {
      called.resolve();
      return new Promise<Response>(() => {});
    };
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    const error = await abortWhen(called.promise, (signal) =>
      client.jobs.submit(paidJob, { signal }),
    );

    expect(error.outcome).toBe("unknown");
  });
});
