import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type CustomFetch, createClient } from "../../src/index.ts";
import { raw } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtWithJob } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Breaks the connection after this text. */
const cutAfter =
  (text: string): Answer =>
  (response) => {
    response.writeHead(202, { "content-type": "application/json", "content-length": 1000 });
    response.write(text, () => setTimeout(() => response.socket?.destroy(), 20));
  };

/** Answers to a submission that was carried out, each of which names the job. */
const unusable: [string, Answer, { code: string; reason?: string; jobId: string }][] = [
  [
    "has no status",
    raw(202, '{"success":true,"data":{"job_id":"job-1"},"error":null}'),
    { code: "decode", reason: "data", jobId: "job-1" },
  ],
  [
    "has an error beside the data",
    raw(202, '{"success":true,"data":{"job_id":"job-1","status":"queued"},"error":""}'),
    { code: "decode", reason: "envelope", jobId: "job-1" },
  ],
  [
    "has no error field",
    raw(202, '{"success":true,"data":{"job_id":"job-1","status":"queued"}}'),
    { code: "decode", reason: "envelope", jobId: "job-1" },
  ],
  [
    "has a number beyond 2^53 for an id",
    raw(
      202,
      '{"success":true,"data":{"job_id":12345678901234567890,"status":"queued"},"error":null}',
    ),
    { code: "decode", reason: "data", jobId: "12345678901234567890" },
  ],
  [
    "is cut off after the id",
    cutAfter('{"success":true,"data":{"job_id":"job-1","sta'),
    { code: "connection", jobId: "job-1" },
  ],
  [
    "is cut off after the number that is the id",
    cutAfter('{"success":true,"data":{"job_id":12345678901234567890,"sta'),
    { code: "connection", jobId: "12345678901234567890" },
  ],
  [
    "is JSON with something behind it",
    raw(202, '{"success":true,"data":{"job_id":"job-1","status":"queued"},"error":null}<!-- -->'),
    { code: "decode", reason: "not-json", jobId: "job-1" },
  ],
  [
    "writes the id with an escape",
    raw(202, '{"success":true,"data":{"job_id":"job\\u002d1"},"error":""}'),
    { code: "decode", reason: "envelope", jobId: "job-1" },
  ],
];

describe("the error of a submission keeps the id of the job", () => {
  it.each(unusable)("when the answer %s", async (_, answer, expected) => {
    const server = await listen(answer);

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ ...expected, outcome: "unknown" });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ jobId: expected.jobId });
    expect(error.message.endsWith(doubtWithJob)).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  it("when the answer has more bytes than are read", async () => {
    const body = { success: true, data: { job_id: "job-1", pad: "x".repeat(5_000) }, error: null };
    const server = await listen((response) => {
      const text = JSON.stringify(body);
      response.writeHead(202, { "content-type": "application/json" });
      response.write(text.slice(0, 500), () => setTimeout(() => response.end(text.slice(500)), 50));
    });

    const error = await rejection(
      clientOf(server, { maxResponseBytes: 1_000 }).jobs.submit(paidJob),
    );

    expect(error).toMatchObject({ code: "decode", reason: "too-large", jobId: "job-1" });
  });

  it("when the answer stops after it, at the timeout", async () => {
    const server = await listen((response) => {
      response.writeHead(202, { "content-type": "application/json", "content-length": 1000 });
      response.write('{"success":true,"data":{"job_id":"job-1",');
    });

    const error = await rejection(clientOf(server).jobs.submit(paidJob, { timeoutMs: 200 }));

    expect(error).toMatchObject({ code: "timeout", outcome: "unknown", jobId: "job-1" });
  });

  it.each(["", " ", ".", "..", "a\\nb", "a\\u0000", "x".repeat(257)])(
    "unless the id is %j, which no call can name",
    async (id) => {
      const data = `{"job_id":"${id}","status":"queued"}`;
      const server = await listen(raw(202, `{"success":true,"data":${data},"error":null}`));

      const error = await rejection(clientOf(server).jobs.submitAndPoll(paidJob));

      expect(error).toMatchObject({ code: "decode", reason: "data", outcome: "unknown" });
      expect(error.jobId).toBeUndefined();
      expect(error.message).toContain("answered without a usable job_id: it ");
      expect(server.received).toHaveLength(1);
    },
  );
});

describe("the Response of the caller's fetch", () => {
  const text = '{"success":true,"data":{"job_id":"job-1","status":"queued"},"error":null}';
  const through = (fetch: CustomFetch) =>
    createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch }).jobs.submit(paidJob);

  it("may have a Node stream for a body, as in node-fetch 3", async () => {
    const response = {
      status: 202,
      headers: new Headers({ "content-type": "application/json" }),
      body: Readable.from([Buffer.from(text)]),
      bodyUsed: false,
      text: async () => text,
    };

    const job = await through(async () => response as unknown as Response);

    expect(job).toEqual({ job_id: "job-1", status: "queued" });
  });

  it("may have a Node stream in place of the body that it reads", async () => {
    const job = await through(async () => {
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
    const error = await rejection(
      through(async () => ({ status: 202, headers: new Headers() }) as Response),
    );

    expect(error).toMatchObject({ code: "connection", outcome: "unknown", status: 202 });
    expect(error.message).toContain(
      "could not be read: your fetch gave a Response without a stream and without text()",
    );
  });

  it("is refused, with advice, once its body was read", async () => {
    const error = await rejection(
      through(async () => {
        const response = new Response(text, { status: 202 });
        await response.json();
        return response;
      }),
    );

    expect(error).toMatchObject({ code: "connection", outcome: "unknown", status: 202 });
    expect(error.message).toContain(
      "your fetch has read the body already: return response.clone() instead",
    );
  });

  it("is read where a clone of it was read before", async () => {
    const job = await through(async () => {
      const response = new Response(text, { status: 202 });
      await response.clone().json();
      return response;
    });

    expect(job.job_id).toBe("job-1");
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["the request", new Request("http://ads.test/v1/jobs")],
    ["a text", text],
    ["an object without headers", { status: 202 }],
  ])("is missed when the fetch gives %s", async (_, given) => {
    const error = await rejection(through(async () => given as Response));

    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
    expect(error.message).toContain("your fetch gave no Response");
  });
});
