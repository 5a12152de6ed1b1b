import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import { answerWithText, cutBody, failure, queued, success } from "../helpers/answers.ts";
import {
  clientOver,
  deleteBrand,
  doubtOfSubmission,
  doubtWithJob,
  envelopeText,
  failing,
  getJob,
  listJobs,
  streamOf,
  submitJob,
  updateBrand,
} from "../helpers/calls.ts";
import { clientOf, paidJob, rejection, testKey } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

const gzip = { "content-encoding": "gzip" };
const text = envelopeText({ status: "queued" });

it("a body may split a character over its chunks", async () => {
  const note = "Größe — 日本語 \u{1f600}";
  const bytes = Buffer.from(envelopeText({ status: "queued", note }));
  const body = streamOf(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  expect(await getJob(clientOver(async () => new Response(body)))).toMatchObject({ note });
});

it.each<[string, Answer]>([
  ["be compressed", answerWithText(200, gzipSync(text), gzip)],
  ["begin with a byte order mark", answerWithText(200, `\ufeff${text}`)],
])("a body may %s", async (_, answer) => {
  expect(await getJob(clientOf(await listen(answer)))).toMatchObject({ status: "queued" });
});

it("a body that does not fit its encoding counts as cut off", async () => {
  const { error } = await failing(answerWithText(200, "no gzip", gzip), getJob, { maxRetries: 0 });
  expect(error).toMatchObject({ code: "connection", status: 200 });
  expect(error.message).toMatch(/^GET \/v1\/jobs\/j was cut off: /);
});

const maxResponseBytes = 1_000;
const filled = envelopeText({
  status: "queued",
  x: "x".repeat(1_000 - envelopeText({ status: "queued", x: "" }).length),
});

it.each<[string, Answer]>([
  ["by its declared length", answerWithText(200, `${filled} `)],
  ["once it is decoded", answerWithText(200, gzipSync(`${filled} `), gzip)],
  ["in bytes and not in characters", answerWithText(200, "ü".repeat(501))],
])("a body that is one byte too large, %s, is refused", async (_, answer) => {
  const { error } = await failing(answer, getJob, { maxResponseBytes });
  const largest = clientOf(await listen(answerWithText(200, filled)), { maxResponseBytes });

  expect(error).toMatchObject({ name: "DecodeError", status: 200, reason: "too-large" });
  expect(error.message).toBe("GET /v1/jobs/j answered more than maxResponseBytes (1000)");
  expect(await getJob(largest)).toMatchObject({ status: "queued" });
});

it("a gzip bomb is refused at 16 MiB by default, and a smaller body is read", async () => {
  const x = "x".repeat(2_000_000);
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, " "));

  const { error } = await failing(answerWithText(202, bomb, gzip), submitJob);
  const data = await getJob(clientOf(await listen(success({ status: "queued", x }))));

  expect(error).toMatchObject({ code: "decode", status: 202, outcome: "unknown" });
  const said = "POST /v1/jobs answered more than maxResponseBytes (16777216)";
  expect(error.message).toBe(said + doubtOfSubmission);
  expect(data).toHaveProperty("x.length", 2_000_000);
});

it("a failure with a body that is too large keeps its status", async () => {
  const { error } = await failing(failure(402, "x".repeat(2_000)), submitJob, { maxResponseBytes });
  expect(error).toMatchObject({ name: "PaymentRequiredError", status: 402, outcome: "refused" });
  expect(error.message).toBe("POST /v1/jobs answered 402");
});

const calls = { GET: getJob, POST: submitJob, PATCH: updateBrand, DELETE: deleteBrand };
const notFollowed = "redirects are not followed";

it.each([300, 301, 302, 303, 305, 307, 308])("no call follows a redirect of %i", async (status) => {
  const elsewhere = await listen(queued(), success({ id: "b", status: "queued" }));
  const places = ["/v1/other", `${elsewhere.url}/v1/jobs`, "//evil.test/", undefined];
  const answers = places.map((place) =>
    answerWithText(status, "moved", place ? { location: place } : {}),
  );

  for (const [method, call] of Object.entries(calls)) {
    const server = await listen(...answers);
    for (const _ of places) {
      const error = await rejection(call(clientOf(server, { maxRetries: 10 })));
      expect(error).toMatchObject({
        name: "ApiError",
        code: "unexpected_status",
        status,
        method,
      });
      expect(error.message).toContain(`answered ${status}: ${notFollowed}`);
    }
    expect(server.received).toHaveLength(places.length);
  }
  expect(elsewhere.sockets.size).toBe(0);
});

const advice = (origin: string) => `${notFollowed}; it leads to ${origin}: set baseUrl to that`;
const api = "https://api.example.com";
it.each<[string, string, (origin: string) => string]>([
  ["to https of the same host", "//HOST/v1/jobs", (origin) => advice(origin)],
  ["to another host", `${api}/v1/jobs?token=S3cr3t`, () => advice(api)],
  ["to a path of the same host", "/login", () => notFollowed],
  ["to no address of the web", "data:text/html,a", () => notFollowed],
  ["to nowhere", "http://[", () => notFollowed],
])("the error of a redirect %s says what to do", async (_, location, says) => {
  const redirect: Answer = (response, { headers }) => {
    const target = location.replace("//HOST", `https://${headers.host}`);
    response.writeHead(308, { location: target }).end();
  };

  const { error, url } = await failing(redirect, listJobs);

  const origin = url.replace("http:", "https:");
  expect(error.message).toBe(`GET /v1/jobs answered 308: ${says(origin)}`);
});

it("the error of a redirect shows neither the key nor an endless address", async () => {
  const location = `https://${testKey}.${"x".repeat(5_000)}.test/`;
  const { error } = await failing(answerWithText(307, "", { location }), listJobs);
  expect(error.message).not.toContain(testKey);
  expect(error.message.length).toBeLessThan(300);
});

it("a redirect as browsers show it, with status 0, isn't followed either", async () => {
  const redirects: string[] = [];
  const fetch = async ({ redirect }: Request) => {
    redirects.push(redirect);
    return { status: 0, type: "opaqueredirect", headers: new Headers(), text: async () => "" };
  };

  const error = await rejection(submitJob(clientOver(fetch)));

  const ofPage = await rejection(submitJob(clientOver(fetch, { apiKey: null })));
  expect(ofPage).toMatchObject({ status: 0, outcome: "unknown" });
  expect(ofPage.message).toContain("Next.js: skipTrailingSlashRedirect");
  expect(redirects).toEqual(["manual", "manual"]);
  expect(error).toMatchObject({ code: "unexpected_status", status: 0, outcome: "unknown" });
  const said = `POST /v1/jobs answered with a redirect: ${notFollowed}`;
  expect(error.message).toBe(said + doubtOfSubmission);
});

const job = { job_id: "job-7", status: "queued" };
const bare = JSON.stringify(job);
const html = `<pre>${bare}</pre>`;
const json = (body: object, status = 202) => answerWithText(status, JSON.stringify(body));

/** The beginning of a response that names the job. */
const begun = '{"success":true,"data":{"job_id":"job-7",';
const named = (id: string, end = "null}") =>
  `{"success":true,"data":{"job_id":${id},"status":"queued"},"error":${end}`;

/** Submits to a server with this response, and returns the error. */
const submitTo = async (answer: Answer, options: ClientOptions = {}, request: object = {}) => {
  const server = await listen(answer);
  const { jobs } = clientOf(server, options);
  const error = await rejection(jobs.submitAndPoll({ ...paidJob, ...request } as typeof paidJob));
  expect(error.outcome).toBe("unknown");
  expect(server.received).toHaveLength(1);
  return error;
};

const noEnvelope = { reason: "envelope" };

it.each<[string, string, Answer, object]>([
  ["has no status", "job-7", success({ job_id: "job-7" }, 201), { reason: "data" }],
  ["has an error as well", "job-7", json({ success: true, data: job, error: "" }), noEnvelope],
  ["has no error field", "job-7", json({ success: true, data: job }), noEnvelope],
  [
    "has an escape in the id",
    "job-7",
    answerWithText(202, named('"job\\u002d7"', '""}')),
    noEnvelope,
  ],
])("a job's id is in the error if the response %s", async (_, jobId, answer, expected) => {
  const brief = { maxResponseBytes: 1_000, timeoutMs: 500 };

  const error = await submitTo(answer, brief);

  expect(error).toMatchObject({ code: "decode", ...expected, jobId });
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ jobId });
  expect(error.message.endsWith(doubtWithJob)).toBe(true);
});

it.each(["", " ", ".", "..", "a\nb", "a\u0000", "x".repeat(257)])(
  "an error has no job id if the service gave %j, which no call can name",
  async (id) => {
    const error = await submitTo(answerWithText(202, named(JSON.stringify(id))));

    expect(error).toMatchObject({ code: "decode", reason: "data" });
    expect(error.jobId).toBeUndefined();
    expect(error.message).toContain("answered without a usable job_id: it ");
  },
);

const failed = { success: false, data: job, error: "no" };
it.each<[string, Answer, object?]>([
  ["a success that names no job", success([], 202)],
  ["an id that echoes the API key", json({ success: true, data: { job_id: `job-${testKey}` } })],
  ["a failure", json(failed, 500)],
  ["a failure that shows the input", json({ detail: [{ input: { job_id: "job-7" } }] }, 422)],
  ["a failure with an id of its own", json({ success: false, error: "no", id: "err_42" }, 500)],
  ["a failure in HTML", answerWithText(500, html)],
  ["a failure that is cut off", cutBody(500, begun)],
  ["a redirect", success(job, 302)],
  ["a failure with a 202", json(failed)],
  ["a body without an envelope", json(job)],
  ["an envelope of another form", json({ result: { job } })],
  ["a list of jobs", success([job], 202)],
  ["data that holds the job deeper", success({ job }, 202)],
  ["data that calls it id", success({ id: "job-7" }, 202)],
  ["an id beside the envelope", json({ success: true, id: "job-7", data: {}, error: null })],
])("the id of a paid job isn't read from %s", async (_, answer, request = {}) => {
  const error = await submitTo(answer, {}, request);

  expect(error.jobId).toBeUndefined();
  expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
  expect(JSON.stringify(error)).not.toContain(testKey);
});

it.each<[string, ClientOptions, string | undefined]>([
  ["unknown", { apiKey: null }, "job-7"],
  ["odd", { apiKey: null }, undefined],
  ["unknown", {}, undefined],
])("only a proxy's failure names a job: %s with %j gives %s", async (word, options, jobId) => {
  const body = { success: false, data: null, error: "no", job_id: "job-7" };
  const answer = answerWithText(502, JSON.stringify(body), { "adgen-outcome": word });

  expect((await submitTo(answer, options)).jobId).toBe(jobId);
});
