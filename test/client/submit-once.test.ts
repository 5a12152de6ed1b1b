import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import {
  cut,
  drip,
  failure,
  hangUp,
  queued,
  raw,
  reset,
  silence,
  stallBody,
  stallHeaders,
  success,
} from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Whatever a caller may set to get more persistence. */
const eager = { maxRetries: 10, timeoutMs: 250, totalTimeoutMs: 5_000 };

/** A call settles after its last attempt; this is for a request that would come later still. */
const settleMs = 20;

const faults: [string, Answer, object][] = [
  ["a reset after the request has arrived", reset, { code: "connection" }],
  ["a connection that closes without an answer", hangUp, { code: "connection" }],
  ["silence", silence, { code: "timeout" }],
  ["headers that stop midway", stallHeaders, { code: "timeout" }],
  ["a body that stops midway", stallBody(202), { code: "timeout", status: 202 }],
  ["a body that drips for ever", drip(202), { code: "timeout", status: 202 }],
  ["a body that is cut off", cut(202), { code: "connection", status: 202 }],
  ["a 202 with HTML", raw(202, "<html>"), { code: "decode", status: 202 }],
  ["a 202 without a body", raw(202), { code: "decode", status: 202 }],
  ["a 202 without a job id", success({ status: "queued" }, 202), { code: "decode", status: 202 }],
  ["a 204", raw(204), { code: "decode", status: 204 }],
  ["a 500 after the side effect", failure(500), { code: "server_error", status: 500 }],
  ["a 502 from a proxy", raw(502, "<html>Bad Gateway"), { code: "server_error", status: 502 }],
  ["a 503", failure(503), { code: "server_error", status: 503 }],
  [
    "a 503 that asks to come back at once",
    failure(503, "busy", { "retry-after": "0" }),
    { code: "server_error", status: 503, retryAfterMs: 0 },
  ],
  ["a 504", failure(504), { code: "server_error", status: 504 }],
  ["a 408", failure(408), { code: "unexpected_status", status: 408 }],
  ["a 409", failure(409), { code: "unexpected_status", status: 409 }],
  ["a 425", failure(425), { code: "unexpected_status", status: 425 }],
];

describe("a paid POST", () => {
  it.each(faults)("is sent once against %s", async (_, fault, expected) => {
    const server = await listen(fault, queued());

    const error = await rejection(clientOf(server).jobs.submit(paidJob, eager));
    await pause(settleMs);

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ ...expected, outcome: "unknown", attempts: 1 });
    expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
  });

  it.each([301, 302, 303, 307, 308])("is sent once against a %i", async (status) => {
    const elsewhere = await listen(queued());
    const server = await listen((response, request) => {
      response.writeHead(status, { location: new URL(request.url, elsewhere.url).href }).end();
    }, queued());

    const error = await rejection(clientOf(server).jobs.submit(paidJob, eager));
    await pause(settleMs);

    expect(server.received).toHaveLength(1);
    expect(elsewhere.received).toHaveLength(0);
    expect(error).toMatchObject({
      name: "ApiError",
      code: "unexpected_status",
      status,
      outcome: "unknown",
    });
    expect(error.message).toContain("redirects are not followed");
  });

  it("is sent once when the client's own options ask for more", async () => {
    const server = await listen(reset, queued());
    const client = clientOf(server, eager);

    const error = await rejection(client.jobs.submit(paidJob));
    await pause(settleMs);

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
  });

  it("is sent once over a kept connection that breaks", async () => {
    const ports: (number | undefined)[] = [];
    const server = await listen((response, request) => {
      ports.push(response.socket?.remotePort);
      (ports.length > 1 ? reset : success([]))(response, request);
    });
    const client = clientOf(server);
    await client.jobs.list();
    await pause(settleMs);

    const error = await rejection(client.jobs.submit(paidJob, eager));
    await pause(settleMs);

    expect(ports).toEqual([ports[0], ports[0]]);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });

  it("is sent once when hints come before its answer", async () => {
    const server = await listen((response, request) => {
      response.writeEarlyHints({ link: "</a.css>; rel=preload" });
      queued()(response, request);
    });

    expect((await clientOf(server).jobs.submit(paidJob)).job_id).toBe("job-1");
    expect(server.received).toHaveLength(1);
  });

  it("is sent once by submitAndPoll too", async () => {
    const server = await listen(failure(503), queued());

    const error = await rejection(clientOf(server).jobs.submitAndPoll(paidJob));
    await pause(settleMs);

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "server_error", outcome: "unknown" });
  });

  it("is sent once when it succeeds, and gives the job", async () => {
    const server = await listen(queued("job-7"), queued("job-8"));

    const job = await clientOf(server).jobs.submit(paidJob);
    await pause(settleMs);

    expect(job).toEqual({ job_id: "job-7", status: "queued" });
    expect(server.received).toMatchObject([{ method: "POST", url: "/v1/jobs" }]);
  });
});

describe("brands and saved ads", () => {
  it.each([
    ["brands.create", (client: AdGenClient) => client.brands.create({ name: "a" }, eager)],
    ["brands.update", (client: AdGenClient) => client.brands.update("b", {}, eager)],
    ["savedAds.create", (client: AdGenClient) => client.savedAds.create({ brand_id: "b" }, eager)],
  ] as const)("are never written twice by %s", async (_, write) => {
    for (const fault of [reset, silence, failure(500), cut(201), raw(200, "<html>")]) {
      const server = await listen(fault, success({ id: "b" }));

      const error = await rejection(write(clientOf(server)));
      await pause(settleMs);

      expect(server.received).toHaveLength(1);
      expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
      expect(error.message).toMatch(/it may have been carried out$/);
    }
  });
});
