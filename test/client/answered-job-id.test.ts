import { describe, expect, it } from "vitest";
import { cut, failure, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtWithJob } from "../helpers/doubt.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const json = (body: unknown, status = 202) => raw(status, JSON.stringify(body));
const job = { job_id: "job-7", status: "queued" };

const failed = async (answer: Answer, options = {}) =>
  rejection(clientOf(await listen(answer), options).jobs.submit(paidJob));

describe("the id of a job that was paid", () => {
  it.each<[string, Answer]>([
    ["an envelope of its own", json({ result: { job } })],
    ["success false", json({ success: false, data: job, error: "late" })],
    ["a list of jobs", success([job], 202)],
    ["text behind its JSON", raw(202, `${JSON.stringify(job)}<!-- cached -->`)],
    ["a status of 500", json({ success: false, data: job, error: "log is down" }, 500)],
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

  it("is not taken from the answer to another write", async () => {
    const server = await listen(json({ job_id: "job-7", id: "b" }));

    const error = await rejection(clientOf(server).brands.create({ name: "a" }));

    expect(error).toMatchObject({ code: "decode", outcome: "unknown" });
    expect(error.jobId).toBeUndefined();
  });
});
