import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { notSentKey } from "../../src/contract/not-sent.ts";
import { markAsNotSent } from "../../src/index.ts";
import { failure, queued, success } from "../helpers/answers.ts";
import { clientOf, fetchError, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const { fetch } = globalThis;

afterEach(() => void vi.unstubAllGlobals());

/** A port of loopback on which nobody listens. */
const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
};

/** Makes the global `fetch` report each answer elsewhere, which fails. */
const reportAfterwards = (report: () => Promise<unknown>): void => {
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    await report();
    return response;
  });
};

describe("a submission through an instrumented global fetch", () => {
  it.each<[string, (port: number, own: number) => Promise<unknown>]>([
    ["a closed port", (port) => fetch(`http://127.0.0.1:${port}/metrics`)],
    ["a closed port of a name", (port) => fetch(`http://localhost:${port}/metrics`)],
    ["the same port of another host", (_, own) => fetch(`http://127.0.0.2:${own}/metrics`)],
    ["a port that speaks no TLS", (_, own) => fetch(`https://127.0.0.1:${own}/metrics`)],
    ["a name that does not exist", () => fetch("http://metrics.invalid/")],
    ["a blocked port", () => fetch("http://127.0.0.1:6000/")],
    [
      "a header that fetch refuses",
      () => fetch("http://127.0.0.1:1/", { headers: { expect: "1" } }),
    ],
    ["an error of the same words", () => Promise.reject(fetchError("ECONNREFUSED"))],
  ])("is sent once when its report goes to %s", async (_, report) => {
    const server = await listen(queued());
    const port = await closedPort();
    reportAfterwards(() => report(port, Number(new URL(server.url).port)));

    const error = await rejection(clientOf(server, { maxRetries: 10 }).jobs.submit(paidJob));

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });

  it.each<[string, () => Error]>([
    ["marked by markAsNotSent", () => markAsNotSent(new Error("telemetry is offline"))],
    [
      "with a marked cause",
      () => new Error("no telemetry", { cause: markAsNotSent(new Error("offline")) }),
    ],
    [
      "of a mock that has refused another request",
      () => Object.assign(new Error("refused"), { [notSentKey]: "https://metrics.test/count" }),
    ],
  ])("is sent once when its report fails with an error %s", async (_, errorOf) => {
    const server = await listen(queued());
    reportAfterwards(() => Promise.reject(errorOf()));

    const error = await rejection(clientOf(server, { maxRetries: 2 }).jobs.submit(paidJob));

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });

  it("is not taken for not sent where it is a delete, which has no body to tell", async () => {
    const server = await listen(success({ id: "b", deleted: true }), failure(404));
    const port = await closedPort();
    reportAfterwards(() => fetch(`http://127.0.0.1:${port}/metrics`));

    const once = await rejection(clientOf(server, { maxRetries: 0 }).brands.delete("b"));
    vi.unstubAllGlobals();
    expect(once).toMatchObject({ code: "connection", outcome: "unknown" });

    const again = await listen(success({ id: "b", deleted: true }), failure(404));
    let reports = 0;
    reportAfterwards(async () => {
      if (++reports === 1) await fetch(`http://127.0.0.1:${port}/metrics`);
    });
    const retried = await rejection(clientOf(again).brands.delete("b"));
    expect(retried).toMatchObject({ status: 404, outcome: "unknown", attempts: 2 });
  });

  it("cannot be sent by a fetch that throws first, and sends later", async () => {
    const server = await listen(queued(), success([]));
    const late: Promise<unknown>[] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      late.push(
        new Promise((resolve) => setTimeout(resolve, 50))
          .then(() => fetch(url, init))
          .catch(() => {}),
      );
      throw fetchError("ECONNREFUSED");
    });

    const error = await rejection(clientOf(server, { maxRetries: 0 }).jobs.submit(paidJob));
    await Promise.all(late);

    expect(error.outcome).toBe("not-sent");
    expect(server.received).toHaveLength(0);
  });
});
