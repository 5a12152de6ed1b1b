import { describe, expect, it } from "vitest";
import { cut, failure, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission, doubtWithJob } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const json = (body: unknown, status = 202) => raw(status, JSON.stringify(body));
const job = { job_id: "job-7", status: "queued" };

const failed = async (answer: Answer, options = {}) =>
  rejection(clientOf(await listen(answer), options).jobs.submit(paidJob));

describe("the id of a job that was paid", () => {
  it.each<[string, Answer]>([
    ["no error in its envelope", json({ success: true, data: job })],
    ["text behind its JSON", raw(202, `${JSON.stringify(job)}<!-- cached -->`)],
    ["a status of 201 and HTML", raw(201, `<pre>${JSON.stringify(job)}</pre>`)],
  ])("is in the error of an answer with %s", async (_, answer) => {
    const error = await failed(answer);

    expect(error).toMatchObject({ jobId: "job-7", outcome: "unknown" });
    expect(error.message.endsWith(doubtWithJob)).toBe(true);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ jobId: "job-7" });
  });

  it("keeps all its digits where it is a number", async () => {
    const error = await failed(
      raw(
        202,
        '{"success":true,"data":{"job_id":12345678901234567890,"status":"queued"},"error":null}',
      ),
    );

    expect(error).toMatchObject({ code: "decode", jobId: "12345678901234567890" });
  });

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
