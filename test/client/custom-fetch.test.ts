import { connect } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ConnectionError, type CustomFetch, createClient } from "../../src/index.ts";
import { queued, reset, success } from "../helpers/answers.ts";
import { clientOf, fetchError, paidJob, pause, rejection, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

const closedPort = "http://127.0.0.1:9";

/** Things that a wrapper may do once the job is paid, and that fail. */
const extras: [string, () => Promise<unknown>][] = [
  ["metrics to a closed port", () => fetch(closedPort)],
  ["metrics to no host", () => Promise.reject(fetchError("ENOTFOUND"))],
  [
    "metrics by a socket of its own",
    () =>
      new Promise((resolve, reject) => {
        connect(9, "127.0.0.1").on("connect", resolve).on("error", reject);
      }),
  ],
];

describe.each(extras)("a submission through a fetch with %s", (_, extra) => {
  it.each([0, 2, 10])("is made once with maxRetries %i, and is unknown", async (maxRetries) => {
    const server = await listen(queued());
    const fetchAndMore: CustomFetch = async (request) => {
      const response = await fetch(request);
      await extra();
      return response;
    };

    const error = await rejection(
      clientOf(server, { fetch: fetchAndMore, maxRetries }).jobs.submit(paidJob),
    );
    await pause(20);

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });
});

describe("a fetch that retries by itself", () => {
  it("gets no further retry from the client after any end", async () => {
    const server = await listen(reset, queued());
    // As fetch-retry does, with a service that is gone after the first request.
    const retrying: CustomFetch = async (request) => {
      const again = request.clone();
      try {
        return await fetch(request);
      } catch {
        return await fetch(closedPort, again);
      }
    };

    const error = await rejection(clientOf(server, { fetch: retrying }).jobs.submit(paidJob));

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  });
});

describe("a fetch that gives an unusual answer", () => {
  const submitted = (given: () => Promise<unknown>) => {
    const fetch = given as CustomFetch;
    return createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch }).jobs.submit(
      paidJob,
    );
  };
  const text = JSON.stringify({
    success: true,
    data: { job_id: "job-1", status: "queued" },
    error: null,
  });

  it.each([
    ["a Node stream for a body", { pipe: () => {} }],
    ["no body at all", undefined],
  ])("with %s is read by its text, as node-fetch's", async (_, body) => {
    const response = { status: 202, headers: new Headers(), body, text: async () => text };

    expect(await submitted(async () => response)).toMatchObject({ job_id: "job-1" });
  });

  it("may have a Node stream for a body, as in node-fetch 3", async () => {
    const response = {
      status: 202,
      headers: new Headers({ "content-type": "application/json" }),
      body: Readable.from([Buffer.from(text)]),
      bodyUsed: false,
      text: async () => text,
    };

    const job = await submitted(async () => response);

    expect(job).toEqual({ job_id: "job-1", status: "queued" });
  });

  it("may have a Node stream in place of the body that it reads", async () => {
    const job = await submitted(async () => {
      const response = new Response(text, { status: 202 });
      const stream = Readable.fromWeb(response.body as never);
      return Object.defineProperty(response, "body", { value: stream });
    });

    expect(job).toEqual({ job_id: "job-1", status: "queued" });
  });

  it("may have a Node stream without an end, which is read as far as it may be", async () => {
    const endless = new Readable({ read: () => void endless.push(Buffer.alloc(1_000, "x")) });
    const response = { status: 202, headers: new Headers(), body: endless };
    const fetch = async () => response as unknown as Response;
    const options = { baseUrl: "http://ads.test", apiKey: testKey, maxResponseBytes: 5_000 };

    const error = await rejection(createClient({ ...options, fetch }).jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "decode", reason: "too-large", outcome: "unknown" });
    expect(endless.destroyed).toBe(true);
  });

  it("is refused where there is nothing to read", async () => {
    const error = await rejection(submitted(async () => ({ status: 202, headers: new Headers() })));

    expect(error).toMatchObject({ code: "connection", outcome: "unknown", status: 202 });
    expect(error.message).toContain(
      "could not be read: your fetch gave a Response without a stream and without text()",
    );
  });

  it("is read where a clone of it was read before", async () => {
    const job = await submitted(async () => {
      const response = new Response(text, { status: 202 });
      await response.clone().json();
      return response;
    });

    expect(job.job_id).toBe("job-1");
  });

  it("has the bytes of its text counted too", async () => {
    const response = { status: 200, headers: new Headers(), text: async () => "ü".repeat(60) };
    const { jobs } = createClient({
      baseUrl: "http://ads.test",
      apiKey: testKey,
      maxResponseBytes: 100,
      fetch: (async () => response) as unknown as CustomFetch,
    });

    expect(await rejection(jobs.get("j"))).toMatchObject({ code: "decode", reason: "too-large" });
  });

  it.each([undefined, null, 5, "text", {}, { status: 200 }, { headers: new Headers() }])(
    "fails the call where it is %j",
    async (answer) => {
      const error = await rejection(submitted(async () => answer));

      expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    },
  );

  it.each([
    ["AdGenError of its own", new ConnectionError("connection", "no", { outcome: "not-sent" })],
    ["error that holds the key", new Error(`Bearer ${testKey} was refused`)],
  ])("throws an %s: the outcome is the client's to tell, without the key", async (_, thrown) => {
    const error = await rejection(submitted(() => Promise.reject(thrown)));

    expect(error).not.toBe(thrown);
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(`${error.stack}${(error.cause as Error).stack}`).not.toContain(testKey);
  });

  it("is not asked again once it has read a body itself", async () => {
    const server = await listen(success([]));
    const reading: CustomFetch = async (request) => {
      const response = await fetch(request);
      await response.text();
      return response;
    };

    const error = await rejection(clientOf(server, { fetch: reading }).jobs.list());

    expect(error).toMatchObject({ code: "connection", attempts: 1 });
    expect(error.message).toContain("return response.clone() instead");
    expect(server.received).toHaveLength(1);
  });
});
