import { cut, failure, raw, reset, silence, stallBody, success } from "../helpers/answers.ts";
import type { Answer, Received } from "../helpers/http-server.ts";

/** A failed call, as its caller can tell. */
export interface Facts {
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly outcome?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly supportedActions?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
  readonly jobId?: string | undefined;
}

/** Something that a service does, and what a page is told otherwise than a program without proxy. */
export interface Behaviour {
  readonly name: string;
  readonly answer: Answer;
  /** Facts that differ on purpose; all others must be equal. */
  readonly forPages?: Facts;
  /** The id of the submitted job stands in a text that is no JSON. */
  readonly hidesNewJob?: true;
  /** It never ends its answer. */
  readonly isSlow?: true;
}

/*
 * The intended differences. A 401 or a 403 is for the proxy, and a page would send its user to sign
 * in. Redirects, pages and broken answers tell about the house behind the proxy. Such an answer
 * becomes a 502, because a page's client would judge by its status. The outcome stays that of the
 * answer. An id in a text that is no JSON may be one that a page has sent: no page is told of it.
 * Where the proxy got no answer, the page gets a 502, as from any gateway.
 */
const unusable: Facts = { code: "server_error", status: 502 };
const unreached: Facts = { code: "server_error", status: 502 };
const late: Facts = { code: "server_error", status: 502 };
/** Seconds are whole in this header, so a wait is rounded up. */
const wholeSecond: Facts = { retryAfterMs: 1_000 };

const id = { "x-request-id": "request-7" };
const html = { "content-type": "text/html", ...id };
const page = (status: number): Answer => raw(status, "<h1>Sorry</h1>", html);
const actions =
  "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, " +
  "image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";

/** Ends a body in the middle, behind the id of the job that was made. */
const cutBehindId: Answer = (response) => {
  response.writeHead(202, { "content-type": "application/json", "content-length": 999, ...id });
  const begin = '{"success":true,"data":{"job_id":"job-7","status":';
  response.write(begin, () => response.socket?.destroy());
};

const withoutStatus = success({ job_id: "job-7" }, 202, id);

/** Data and status of an answer when all is well, by method and path. */
const goodData = ({ method, url }: Received): [data: unknown, status: number] => {
  const brand = { id: "b-1", name: "Acme", more: [1] };
  if (method === "POST" && url === "/v1/jobs") return [{ job_id: "job-2", status: "queued" }, 202];
  if (method === "POST") return [{ ...brand, id: "b-2" }, 201];
  if (method === "PATCH") return [brand, 200];
  if (method === "DELETE") return [{ id: "b-1", deleted: true }, 200];
  const job = { job_id: "job-1", status: "completed", result: { images: [] }, more: { a: null } };
  return [url === "/v1/jobs/job-1" ? job : { jobs: [job] }, 200];
};

/** A service that does what it is asked for. */
export const goodAnswer: Answer = (response, request) => {
  const [data, status] = goodData(request);
  success(data, status, id)(response, request);
};

const tooLarge: Answer = (response, request) => {
  const job = { job_id: "job-7", status: "queued", id: "b-1", padding: "x".repeat(20_000) };
  success(job, 202, id)(response, request);
};

/** Largest answer in the tests: less than the one that is too large. */
export const maxResponseBytes = 10_000;

export const behaviours: readonly Behaviour[] = [
  { name: "400", answer: failure(400, "variations must be 1 to 10", id) },
  { name: "400 for an unknown action", answer: failure(400, actions, id) },
  { name: "402", answer: failure(402, "Insufficient credits", id) },
  { name: "404", answer: failure(404, "Not found", id) },
  { name: "429", answer: failure(429, "slow down", id) },
  { name: "429 for 7 seconds", answer: failure(429, "slow down", { "retry-after": "7", ...id }) },
  { name: "a page with 429", answer: page(429) },
  { name: "500", answer: failure(500, "boom", id) },
  { name: "503 for 3 seconds", answer: failure(503, "busy", { "retry-after": "3", ...id }) },
  { name: "a page with 503", answer: page(503) },
  { name: "503 that is cut off", answer: cut(503) },
  { name: "401", answer: failure(401, "Unauthorized", id), forPages: unusable },
  { name: "403", answer: failure(403, "Forbidden", id), forPages: unusable },
  { name: "409", answer: failure(409, "Conflict", id), forPages: unusable },
  { name: "a page with 200", answer: page(200), forPages: unusable },
  { name: "a page with 400", answer: page(400), forPages: unusable },
  { name: "a page with 402", answer: page(402), forPages: unusable },
  { name: "a page with 404", answer: page(404), forPages: unusable },
  { name: "999", answer: failure(999, "odd", id), forPages: unusable },
  { name: "a redirect", answer: raw(302, "", { location: "/login", ...id }), forPages: unusable },
  { name: "a failure with 200", answer: failure(200, "odd", id), forPages: unusable },
  {
    name: "no status of the job",
    answer: withoutStatus,
    forPages: unusable,
  },
  { name: "too many bytes", answer: tooLarge, forPages: unusable },
  {
    name: "a body that is cut off behind a job's id",
    answer: cutBehindId,
    forPages: unusable,
    hidesNewJob: true,
  },
  {
    name: "a fraction of a second",
    answer: failure(429, "wait", { "retry-after": "0.2" }),
    forPages: wholeSecond,
  },
  { name: "a reset", answer: reset, forPages: unreached },
  { name: "silence", answer: silence, forPages: late, isSlow: true },
  { name: "a body that stops midway", answer: stallBody(202), forPages: late, isSlow: true },
];
