import { describe, expect, it } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import { cut, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission, doubtWithJob } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const job = { job_id: "job-7", status: "queued" };
const bare = JSON.stringify(job);
const html = `<pre>${bare}</pre>`;
const json = (body: object, status = 202) => raw(status, JSON.stringify(body));

/** The beginning of an answer that names the job. */
const begun = '{"success":true,"data":{"job_id":"job-7",';
const named = (id: string, end = "null}") =>
  `{"success":true,"data":{"job_id":${id},"status":"queued"},"error":${end}`;

/** Sends a part of a body; the rest comes later, or never. */
const _part =
  (text: string, rest?: string): Answer =>
  (response) => {
    response.writeHead(202, { "content-length": 5_000 });
    response.write(text);
    if (rest !== undefined) setTimeout(() => response.end(rest.padEnd(5_000 - text.length)), 50);
  };

/** Submits to a server that answers so, once; gives the error. */
const submit = async (answer: Answer, options: ClientOptions = {}, request: object = {}) => {
  const server = await listen(answer);
  const { jobs } = clientOf(server, options);
  const error = await rejection(jobs.submitAndPoll({ ...paidJob, ...request } as typeof paidJob));
  expect(error.outcome).toBe("unknown");
  expect(server.received).toHaveLength(1);
  return error;
};

describe("the id of a job that was paid", () => {
  const _long = "12345678901234567890";
  const noEnvelope = { reason: "envelope" };
  const _notJson = { reason: "not-json" };

  it.each<[string, string, Answer, object]>([
    ["has no status", "job-7", success({ job_id: "job-7" }, 201), { reason: "data" }],
    ["has an error, too", "job-7", json({ success: true, data: job, error: "" }), noEnvelope],
    ["has no error field", "job-7", json({ success: true, data: job }), noEnvelope],
    ["has an escape in it", "job-7", raw(202, named('"job\\u002d7"', '""}')), noEnvelope],
  ])("is in the error if the response %s", async (_, jobId, answer, expected) => {
    const brief = { maxResponseBytes: 1_000, timeoutMs: 500 };

    const error = await submit(answer, brief);

    expect(error).toMatchObject({ code: "decode", ...expected, jobId });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ jobId });
    expect(error.message.endsWith(doubtWithJob)).toBe(true);
  });

  it.each(["", " ", ".", "..", "a\nb", "a\u0000", "x".repeat(257)])(
    "is missing where it is %j, which no call can name",
    async (id) => {
      const error = await submit(raw(202, named(JSON.stringify(id))));

      expect(error).toMatchObject({ code: "decode", reason: "data" });
      expect(error.jobId).toBeUndefined();
      expect(error.message).toContain("answered without a usable job_id: it ");
    },
  );

  const _echo = '"job_id":"job-7"';
  const _escaped = '"job_id":"job\\u002d7"';

  const failed = { success: false, data: job, error: "no" };
  it.each<[string, Answer, object?]>([
    ["an answer that names none", success([], 202)],
    ["an id with the key, as echoed", json({ success: true, data: { job_id: `job-${testKey}` } })],
    ["a failure", json(failed, 500)],
    ["a failure that shows the input", json({ detail: [{ input: { job_id: "job-7" } }] }, 422)],
    ["a failure with an id of its own", json({ success: false, error: "no", id: "err_42" }, 500)],
    ["a failure in HTML", raw(500, html)],
    ["a failure that is cut off", cut(500, begun)],
    ["a redirect", success(job, 302)],
    ["a failure with a 202", json(failed)],
    ["a body without an envelope", json(job)],
    ["an envelope of another form", json({ result: { job } })],
    ["a list of jobs", success([job], 202)],
    ["data that holds the job deeper", success({ job }, 202)],
    ["data that calls it id", success({ id: "job-7" }, 202)],
    ["an id beside the envelope", json({ success: true, id: "job-7", data: {}, error: null })],
  ])("isn't read from %s", async (_, answer, request = {}) => {
    const error = await submit(answer, {}, request);

    expect(error.jobId).toBeUndefined();
    expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
    expect(JSON.stringify(error)).not.toContain(testKey);
  });

  it.each<[string, ClientOptions, string | undefined]>([
    ["unknown", { apiKey: null }, "job-7"],
    ["odd", { apiKey: null }, undefined],
    ["unknown", {}, undefined],
  ])(
    "is read from a failure only if a proxy sent it: %s with %j gives %s",
    async (word, options, jobId) => {
      const body = { success: false, data: null, error: "no", job_id: "job-7" };
      const answer = raw(502, JSON.stringify(body), { "adgen-outcome": word });

      expect((await submit(answer, options)).jobId).toBe(jobId);
    },
  );

  it("isn't read from the response to another write", async () => {
    const server = await listen(success(job, 202));

    const error = await rejection(clientOf(server).brands.create({ name: "a" }));

    expect(error).toMatchObject({ code: "decode", outcome: "unknown" });
    expect(error.jobId).toBeUndefined();
  });
});
