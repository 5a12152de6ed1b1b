import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/index.ts";
import { cut, failure, queued, raw, reset, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";
import { lossesOf, rowsOf } from "../helpers/service-faults.ts";

/** Options of a caller who asks for the most repetitions. */
const eager = { maxRetries: 10, timeoutMs: 250, totalTimeoutMs: 5_000 };

/** Time for a request that comes after the call has settled. */
const settleMs = 20;

describe("a paid POST", () => {
  it.each(rowsOf(lossesOf(202)))("is sent once against %s", async (_, fault, expected) => {
    const server = await listen(fault, queued());

    const error = await rejection(clientOf(server).jobs.submit(paidJob, eager));
    await pause(settleMs);

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ ...expected, outcome: "unknown", attempts: 1 });
    expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
  });

  it("is sent once against a 202 without a job id", async () => {
    const server = await listen(success({ status: "queued" }, 202), queued());

    const error = await rejection(clientOf(server).jobs.submit(paidJob, eager));
    await pause(settleMs);

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "decode", status: 202, outcome: "unknown", attempts: 1 });
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
