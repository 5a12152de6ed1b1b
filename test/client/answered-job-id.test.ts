import { describe, expect, it } from "vitest";
import { cut, failure, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission, doubtWithJob } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const json = (body: unknown, status = 202) => raw(status, JSON.stringify(body));
const job = { job_id: "job-7", status: "queued" };

const failed = async (answer: Answer, options = {}) =>
  rejection(clientOf(await listen(answer), options).jobs.submit(paidJob));

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
  [
    "is no envelope, and has text behind it",
    raw(202, `${JSON.stringify(job)}<!-- cached -->`),
    { code: "decode", reason: "not-json", jobId: "job-7" },
  ],
  [
    "is a 201 of HTML",
    raw(201, `<pre>${JSON.stringify(job)}</pre>`),
    { code: "decode", reason: "not-json", jobId: "job-7" },
  ],
];

describe("the id of a job that was paid", () => {
  it.each(unusable)("is in the error when the answer %s", async (_, answer, expected) => {
    const server = await listen(answer);

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ ...expected, outcome: "unknown" });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ jobId: expected.jobId });
    expect(error.message.endsWith(doubtWithJob)).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  it("is in the error when the answer has more bytes than are read", async () => {
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

  it("is in the error when the answer stops after it, at the timeout", async () => {
    const server = await listen((response) => {
      response.writeHead(202, { "content-type": "application/json", "content-length": 1000 });
      response.write('{"success":true,"data":{"job_id":"job-1",');
    });

    const error = await rejection(clientOf(server).jobs.submit(paidJob, { timeoutMs: 200 }));

    expect(error).toMatchObject({ code: "timeout", outcome: "unknown", jobId: "job-1" });
  });

  it.each(["", " ", ".", "..", "a\\nb", "a\\u0000", "x".repeat(257)])(
    "is missing where it is %j, which no call can name",
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

  it("is no id where it holds the key, which the service echoed", async () => {
    const error = await failed(json({ job_id: `job-${testKey}` }));

    expect(error.jobId).toBeUndefined();
    expect(JSON.stringify(error)).not.toContain(testKey);
  });

  it("is missing where the answer names none", async () => {
    for (const answer of [failure(500), cut(202), raw(202, "<html>"), success([], 202)]) {
      expect((await failed(answer)).jobId).toBeUndefined();
    }
  });

  it.each<[string, Answer]>([
    ["a failure", json({ success: false, data: job, error: "log is down" }, 500)],
    ["a failure that shows the input", json({ detail: [{ input: { job_id: "job-7" } }] }, 422)],
    [
      "a failure that has an id of its own",
      json({ success: false, error: "no", id: "err_42" }, 500),
    ],
    ["a failure in HTML", raw(500, `<pre>${JSON.stringify(job)}</pre>`)],
    ["a failure that is cut off", cut(500, '{"success":false,"data":{"job_id":"job-7",')],
    ["a redirect", json({ success: true, data: job, error: null }, 302)],
    ["a failure with a status of 202", json({ success: false, data: job, error: "late" })],
    [
      "a failure with a status of 202 that is cut off",
      cut(202, '{"success":false,"error":"late","data":{"job_id":"job-7",'),
    ],
    ["a body without an envelope", json(job)],
    ["an envelope of another form", json({ result: { job } })],
    ["a list of jobs", success([job], 202)],
    ["data that holds the job deeper", success({ job }, 202)],
    ["data that calls it id", success({ id: "job-7", status: "queued" }, 202)],
    ["an id beside the envelope", json({ success: true, id: "job-7", data: {}, error: null })],
    ["a text that names two", raw(202, '<p>"job_id":"job-7", "job_id":"job-8"</p>')],
    ["a text in which the end of the number is missing", cut(202, '{"data":{"job_id":7')],
  ])("is not taken from %s", async (_, answer) => {
    const error = await failed(answer);

    expect(error.outcome).toBe("unknown");
    expect(error.jobId).toBeUndefined();
    expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
  });

  it.each([
    ["a parameter", { job_id: "job-7" }, raw(202, '<pre>{"job_id": "job-7"}</pre>')],
    ["the prompt", { prompt: '"job_id":"job-7"' }, raw(202, 'bad: "job_id":"job-7"')],
    ["an escape", { prompt: '"job_id":"job\\u002d7"' }, raw(202, 'bad: "job_id":"job\\u002d7"')],
    ["a number", { job_id: 77 }, cut(202, '{"success":true,"data":{"input":{"job_id":77},')],
  ])("is not taken from text that may show %s of the request", async (_, parameters, answer) => {
    const server = await listen(answer);

    const error = await rejection(
      clientOf(server).jobs.submit({ ...paidJob, ...parameters } as typeof paidJob),
    );

    expect(error).toMatchObject({ outcome: "unknown" });
    expect(error.jobId).toBeUndefined();
  });

  it.each([
    [502, "unknown", "job-7"],
    [502, "odd", undefined],
  ])("is the word of a proxy: %i, %s gives %s", async (status, outcome, jobId) => {
    const body = { success: false, data: null, error: "no", job_id: "job-7" };
    const answer = raw(status, JSON.stringify(body), { "adgen-outcome": outcome });

    expect((await failed(answer, { apiKey: null })).jobId).toBe(jobId);
    expect((await failed(answer)).jobId).toBeUndefined();
  });

  it("is not taken from the answer to another write", async () => {
    const server = await listen(json({ job_id: "job-7", id: "b" }));

    const error = await rejection(clientOf(server).brands.create({ name: "a" }));

    expect(error).toMatchObject({ code: "decode", outcome: "unknown" });
    expect(error.jobId).toBeUndefined();
  });
});
