import type { Poll } from "./scripted-client.ts";

/** An answer with this text and content type. */
export const page =
  (status: number, text = "<h1>Be right back</h1>", contentType = "text/html"): Poll =>
  () =>
    new Response(text, { status, headers: { "content-type": contentType } });

/** An answer of the service's own, with this body. */
const answer =
  (body: unknown, status = 200): Poll =>
  () =>
    Response.json(body, { status });

/** A success in its envelope. */
export const success = (data: unknown): Poll => answer({ success: true, data, error: null });

/** A redirect to a login page of this host. */
export const redirect: Poll = () =>
  new Response(null, { status: 302, headers: { location: "https://login.test/?back=/v1" } });

/** A body that ends before its time. */
export const cutOff: Poll = () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"success":')),
    pull: (controller) => controller.error(new TypeError("terminated")),
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
};

/** A completed job whose result is larger than a client of `maxResponseBytes: 1000` reads. */
export const tooLarge: Poll = success({ status: "completed", result: "x".repeat(2_000) });

/** An answer that no further poll changes. */
interface LastingAnswer {
  readonly name: string;
  readonly poll: Poll;
  /** Fields of the error that it ends a wait with. */
  readonly error: object;
  /** A part of the message: what was seen. */
  readonly saw: string;
}

const finished = { status: "completed", result: 7 };
const decode = { name: "DecodeError", code: "decode" };
const unexpected = { name: "ApiError", code: "unexpected_status" };

/** Answers of the service, none of which can be used. */
export const lastingAnswers: readonly LastingAnswer[] = [
  {
    name: "a job_id that is a number",
    poll: success({ job_id: 1, ...finished }),
    error: { ...decode, reason: "data", issues: [{ path: ["job_id"] }] },
    saw: 'answered job_id a number, asked for "job_1"',
  },
  {
    name: "a job_id in another case",
    poll: success({ job_id: "JOB_1", ...finished }),
    error: { ...decode, reason: "data", issues: [{ path: ["job_id"] }] },
    saw: 'answered job_id "JOB_1", asked for "job_1"',
  },
  {
    name: "a job without the envelope",
    poll: answer({ job_id: "job_1", ...finished }),
    error: { ...decode, reason: "envelope" },
    saw: "answered 200, not in the service's form { success, data, error }",
  },
  {
    name: "an envelope without an error",
    poll: answer({ success: true, data: finished }),
    error: { ...decode, reason: "envelope" },
    saw: "not in the service's form { success, data, error }",
  },
  {
    name: "a job nested in data.job",
    poll: success({ job: { job_id: "job_1", ...finished } }),
    error: { ...decode, reason: "data", issues: [{ path: ["status"] }] },
    saw: "answered data that is not what was asked for: status: expected string, got undefined",
  },
  {
    name: "a 405",
    poll: answer({ success: false, data: null, error: "use POST" }, 405),
    error: { ...unexpected, status: 405 },
    saw: "answered 405: use POST",
  },
  {
    name: "a 422",
    poll: answer({ success: false, data: null, error: "odd id" }, 422),
    error: { ...unexpected, status: 422 },
    saw: "answered 422: odd id",
  },
  {
    name: "a 200 that is a failure",
    poll: answer({ success: false, data: null, error: "Job expired" }),
    error: { ...unexpected, status: 200 },
    saw: "answered 200: Job expired",
  },
];

/** Answers of a stranger, which are believed only where the job was never seen. */
export const strangersAnswers: readonly LastingAnswer[] = [
  {
    name: "a 200 with HTML",
    poll: page(200),
    error: { ...decode, reason: "not-json", contentType: "text/html" },
    saw: "answered 200 with text/html, not JSON (check baseUrl: ads.test)",
  },
  {
    name: "a 302",
    poll: redirect,
    error: { ...unexpected, status: 302 },
    saw: "answered 302: redirects are not followed; it leads to https://login.test",
  },
  {
    name: "a 405 in HTML",
    poll: page(405),
    error: { ...unexpected, status: 405, contentType: "text/html" },
    saw: "answered 405 with text/html, not in the service's form (check baseUrl: ads.test)",
  },
  {
    name: "a 200 without a body",
    poll: page(200, "", ""),
    error: { ...decode, reason: "not-json" },
    saw: "answered 200 without a body",
  },
];
