import { afterEach, describe, expect, it, vi } from "vitest";
import { notSentKey } from "../../src/contract/not-sent.ts";
import { markAsNotSent } from "../../src/index.ts";
import { failure, queued, success } from "../helpers/answers.ts";
import { deleteBrand, failing, submit } from "../helpers/calls.ts";
import { clientOf, fetchError, pause, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const { fetch } = globalThis;

afterEach(() => vi.unstubAllGlobals());

/** Makes the global `fetch` report each answer elsewhere, which fails. */
const reportAfterwards = (report: (own: URL) => Promise<unknown>): void => {
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    await report(new URL(url));
    return response;
  });
};

/** Nothing listens on the port of discard. */
const closed = "127.0.0.1:9";
const refusedHeader = { headers: { expect: "1" } };
const refusedByMock = Object.assign(new Error("refused"), {
  [notSentKey]: "https://metrics.test/count",
});
const marked = (text: string) => markAsNotSent(new Error(text));

describe("a submission through an instrumented global fetch", () => {
  it.each<[string, (own: URL) => Promise<unknown>]>([
    ["goes to a closed port", () => fetch(`http://${closed}/metrics`)],
    ["goes to a closed port of a name", () => fetch("http://localhost:9/metrics")],
    ["goes to its port of another host", ({ port }) => fetch(`http://127.0.0.2:${port}/metrics`)],
    ["goes to a port that speaks no TLS", ({ port }) => fetch(`https://127.0.0.1:${port}/`)],
    ["goes to a name that does not exist", () => fetch("http://metrics.invalid/")],
    ["goes to a blocked port", () => fetch("http://127.0.0.1:6000/")],
    ["has a header that fetch refuses", () => fetch(`http://${closed}`, refusedHeader)],
    ["has an error of the same words", () => Promise.reject(fetchError("ECONNREFUSED"))],
    ["is marked by markAsNotSent", () => Promise.reject(marked("offline"))],
    ["has a marked cause", () => Promise.reject(new Error("no", { cause: marked("offline") }))],
    ["is another request that a mock has refused", () => Promise.reject(refusedByMock)],
  ])("is sent once when its report %s", async (_, report) => {
    reportAfterwards(report);
    const { error, received } = await failing(queued(), submit, { maxRetries: 10 });
    expect(received).toHaveLength(1);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });

  it("is not taken for not sent where it is a delete, which has no body to tell", async () => {
    const answers = [success({ id: "b", deleted: true }), failure(404)];
    let reports = 0;
    reportAfterwards(async () => {
      if (++reports < 3) await fetch(`http://${closed}/metrics`);
    });

    const { error: once } = await failing(answers, deleteBrand, { maxRetries: 0 });
    reports = 1;
    const { error: retried } = await failing(answers, deleteBrand);

    expect(once).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(retried).toMatchObject({ status: 404, outcome: "unknown", attempts: 2 });
  });

  it("cannot be sent by a fetch that throws first, and sends later", async () => {
    const server = await listen(queued());
    const late: Promise<unknown>[] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      late.push(
        pause(50)
          .then(() => fetch(url, init))
          .catch(() => {}),
      );
      throw fetchError("ECONNREFUSED");
    });

    const error = await rejection(submit(clientOf(server, { maxRetries: 0 })));
    await Promise.all(late);

    expect(error.outcome).toBe("not-sent");
    expect(server.received).toHaveLength(0);
  });
});
