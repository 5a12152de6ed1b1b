import { describe, expect, it } from "vitest";
import type { ClientOptions } from "../../src/index.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission, doubtWithJob } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const job = { job_id: "job-7", status: "queued" };
const bare = JSON.stringify(job);
const html = `<pre>${bare}</pre>`;
const envelope = (data: unknown, more: object = { error: null }) => ({
  ...{ success: true, data, ...more },
});

/** The beginning of an answer that names the job. */
const begun = '{"success":true,"data":{"job_id":"job-7",';
const named = (id: string, end = "null}") =>
  `{"success":true,"data":{"job_id":${id},"status":"queued"},"error":${end}`;

type End = "whole" | "in two parts" | "cut off" | "stopped";

/** Gives a body: an object as JSON, and a text as it is. */
const answerOf =
  (status: number, body: object | string, end: End, headers: object = {}): Answer =>
  (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    if (end === "whole") return response.writeHead(status, { ...headers }).end(text);
    response.writeHead(status, { "content-type": "application/json", "content-length": 5_000 });
    return response.write(text, () => {
      if (end === "cut off") setTimeout(() => response.socket?.destroy(), 20);
      if (end === "in two parts")
        setTimeout(() => response.end(" ".repeat(5_000 - text.length)), 50);
    });
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
  const long = "12345678901234567890";

  it.each<[string, string, object | string, object, End?]>([
    ["has no status", "job-7", envelope({ job_id: "job-7" }), { reason: "data" }],
    ["has an error, too", "job-7", envelope(job, { error: "" }), { reason: "envelope" }],
    ["has no error field", "job-7", envelope(job, {}), { reason: "envelope" }],
    ["has a number beyond 2^53", long, named(long), { reason: "data" }],
    ["has an escape in it", "job-7", named('"job\\u002d7"', '""}'), { reason: "envelope" }],
    ["has text behind it", "job-7", `${named('"job-7"')}<!-- -->`, { reason: "not-json" }],
    ["is bare, with text behind", "job-7", `${bare}<!-- -->`, { reason: "not-json" }],
    ["is HTML", "job-7", html, { reason: "not-json" }],
    ["has too many bytes", "job-7", begun, { reason: "too-large" }, "in two parts"],
    ["is cut off after it", "job-7", begun, { code: "connection" }, "cut off"],
    ["is cut off after its number", long, named(long), { code: "connection" }, "cut off"],
    ["stops after it", "job-7", begun, { code: "timeout" }, "stopped"],
  ])("is in the error when the answer %s", async (_, jobId, body, expected, end = "whole") => {
    const brief = { maxResponseBytes: 1_000, timeoutMs: 500 };

    const error = await submit(answerOf(201, body, end), brief);

    expect(error).toMatchObject({ code: "decode", ...expected, jobId });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ jobId });
    expect(error.message.endsWith(doubtWithJob)).toBe(true);
  });

  it.each(["", " ", ".", "..", "a\nb", "a\u0000", "x".repeat(257)])(
    "is missing where it is %j, which no call can name",
    async (id) => {
      const error = await submit(answerOf(202, named(JSON.stringify(id)), "whole"));

      expect(error).toMatchObject({ code: "decode", reason: "data" });
      expect(error.jobId).toBeUndefined();
      expect(error.message).toContain("answered without a usable job_id: it ");
    },
  );

  const echo = '"job_id":"job-7"';
  const escaped = '"job_id":"job\\u002d7"';

  it.each<[string, number, object | string, object?, End?]>([
    ["an answer that names none", 202, envelope([])],
    ["an id with the key, as echoed", 202, { success: true, data: { job_id: `job-${testKey}` } }],
    ["a failure", 500, { success: false, data: job, error: "log is down" }],
    ["a failure that shows the input", 422, { detail: [{ input: { job_id: "job-7" } }] }],
    ["a failure with an id of its own", 500, { success: false, error: "no", id: "err_42" }],
    ["a failure in HTML", 500, html],
    ["a failure that is cut off", 500, begun, {}, "cut off"],
    ["a redirect", 302, envelope(job)],
    ["a failure with a 202", 202, { success: false, data: job, error: "late" }],
    ["a failure with a 202, cut off", 202, begun.replace("true", "false"), {}, "cut off"],
    ["a body without an envelope", 202, job],
    ["an envelope of another form", 202, { result: { job } }],
    ["a list of jobs", 202, envelope([job])],
    ["data that holds the job deeper", 202, envelope({ job })],
    ["data that calls it id", 202, envelope({ id: "job-7" })],
    ["an id beside the envelope", 202, { success: true, id: "job-7", data: {}, error: null }],
    ["a text that names two", 202, '<p>"job_id":"job-7", "job_id":"job-8"</p>'],
    ["a number whose end is missing", 202, '{"data":{"job_id":7', {}, "cut off"],
    ["a text that may show a parameter", 202, `<pre>{${echo}}</pre>`, { job_id: "job-7" }],
    ["a text that may show the prompt", 202, `bad: ${echo}`, { prompt: echo }],
    ["a text that may show an escape", 202, `bad: ${escaped}`, { prompt: escaped }],
    ["a text that may show a number", 202, '{"input":{"job_id":77},', { job_id: 77 }, "cut off"],
  ])("is not taken from %s", async (_, status, body, request = {}, end = "whole") => {
    const error = await submit(answerOf(status, body, end), {}, request);

    expect(error.jobId).toBeUndefined();
    expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
    expect(JSON.stringify(error)).not.toContain(testKey);
  });

  it.each<[string, ClientOptions, string | undefined]>([
    ["unknown", { apiKey: null }, "job-7"],
    ["odd", { apiKey: null }, undefined],
    ["unknown", {}, undefined],
  ])("is the word of a proxy alone: %s with %j gives %s", async (word, options, jobId) => {
    const body = { success: false, data: null, error: "no", job_id: "job-7" };
    const answer = answerOf(502, body, "whole", { "adgen-outcome": word });

    expect((await submit(answer, options)).jobId).toBe(jobId);
  });

  it("is not taken from the answer to another write", async () => {
    const server = await listen(answerOf(202, envelope(job), "whole"));

    const error = await rejection(clientOf(server).brands.create({ name: "a" }));

    expect(error).toMatchObject({ code: "decode", outcome: "unknown" });
    expect(error.jobId).toBeUndefined();
  });
});
