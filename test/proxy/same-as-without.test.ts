// A page behind the proxy is told what a program is told that has the key, but for a few things.
import {
  type AdGenClient,
  type AnyAdGenError,
  type CustomFetch,
  createClient,
  pollJob,
  toResult,
} from "adgen-sdk";
import { type AdGenProxy, createMemoryStore, createProxy } from "adgen-sdk/proxy";
import { expect, onTestFinished, test, vi } from "vitest";
import { cut, failure, raw, reset, success } from "../helpers/answers.ts";
import { paidJob, testKey } from "../helpers/client.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";
import { offline, type Poll, page, refused, seen, silent } from "../polling/scripted-client.ts";
import { digestAtOnce } from "../submissions/virtual-world.ts";

/** A service at a URL, or one that is a function. */
interface Service {
  readonly baseUrl?: string;
  readonly fetch?: CustomFetch;
  readonly timeoutMs?: number | undefined;
  readonly maxResponseBytes?: number;
}

type Connect = (service: Service, maxRetries?: number) => AdGenClient | Promise<AdGenClient>;

const options = { baseUrl: "https://ads.test", apiKey: testKey };

/** A program that has the key. */
const direct: Connect = (service, maxRetries) =>
  createClient({ ...options, ...service, maxRetries });

/** Sends the requests of a page's client to the proxy. */
type Browse = (proxy: AdGenProxy, request: Request) => Promise<Response>;

/** A page of Ada behind the proxy, who owns what is there. */
const pageOf =
  (browse: Browse = (proxy, request) => proxy(request)): Connect =>
  async (service, maxRetries) => {
    const store = createMemoryStore();
    const hooks = { onError: () => {} }; // failures are meant, and must not be printed
    const proxy = createProxy({ ...options, ...service, authorize: () => "ada", store, hooks });
    await proxy.claim("job", "job-1", "ada");
    await proxy.claim("brand", "b-1", "ada");
    const own = { baseUrl: "https://shop.test/adgen", apiKey: null, callIds: true, maxRetries };
    return createClient({ ...own, fetch: (request) => browse(proxy, request) });
  };

/** A failed call, as its caller can tell. */
const factsOf = (error: AnyAdGenError) => {
  const { code, status, outcome, retryAfterMs, requestId, jobId } = error;
  const supportedActions = code === "bad_request" ? error.supportedActions : undefined;
  return { code, status, outcome, retryAfterMs, requestId, jobId, supportedActions };
};

type Facts = ReturnType<typeof factsOf>;

/*
 * The intended differences. A 401 or a 403 is for the proxy, and a page would send its user to sign
 * in. Redirects, pages and broken answers tell about the house behind the proxy. Such an answer
 * becomes a 502, because a page's client would judge by its status, and so does none at all. The
 * outcome stays that of the answer. Seconds are whole in the header, so a wait is rounded up.
 */
const passedOn = ["bad_request", "payment_required", "not_found", "rate_limited", "server_error"];

const forPages = ({ retryAfterMs, ...facts }: Facts, isStray = false): Facts => ({
  ...facts,
  retryAfterMs: retryAfterMs && Math.ceil(retryAfterMs / 1_000) * 1_000,
  ...((isStray || !passedOn.includes(facts.code)) && { code: "server_error", status: 502 }),
});

/** The end of a call, as its caller is told: the data, or the facts of the failure. */
const tell = async (call: Promise<unknown>): Promise<{ data: unknown } | Facts> => {
  const { ok, data, error } = await toResult(call);
  return ok ? { data } : factsOf(error);
};

/** Makes one call of each kind, the deletion last, and tells how each ended. */
const tellAll = async ({ jobs, brands }: AdGenClient) => {
  const [submitted, created, updated, got, listed] = await Promise.all([
    tell(jobs.submit(paidJob)),
    tell(brands.create({ name: "Acme" })),
    tell(brands.update("b-1", { name: "Acme" })),
    tell(jobs.get("job-1")),
    tell(jobs.list().then(({ items }) => items)),
  ]);
  return { submitted, created, updated, got, listed, deleted: await tell(brands.delete("b-1")) };
};

/** A browser that sends each request again by itself, and must get the same answer again. */
const sendTwice: Browse = async (proxy, request) => {
  const [first, again] = [await proxy(request.clone()), await proxy(request)];
  const partsOf = async (response: Response) => {
    return [response.status, [...response.headers], await response.text()];
  };
  expect(await partsOf(again)).toEqual(await partsOf(first.clone()));
  return first;
};

const compare = async (baseUrl: string, timeoutMs?: number) => {
  const service = { baseUrl, timeoutMs, maxResponseBytes: 10_000 };
  const clients = await Promise.all([direct(service, 0), pageOf(sendTwice)(service, 0)]);
  const [told, page] = await Promise.all(clients.map(tellAll));
  if (told === undefined || page === undefined) throw new Error("two clients are compared");
  return { told, page };
};

const id = { "x-request-id": "request-7" };
const html = { "content-type": "text/html", ...id };
const actions =
  "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, " +
  "image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";

/** Ends a body in the middle, behind the id of the job that was made. */
const cutBehindId = cut(202, '{"success":true,"data":{"job_id":"job-7","status":');

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
const goodAnswer: Answer = (response, request) => {
  const [data, status] = goodData(request);
  success(data, status, id)(response, request);
};

const large = { job_id: "job-7", status: "queued", id: "b-1", padding: "x".repeat(20_000) };

/** An answer of the service. A stray one comes from something before it; `isGone` is none at all. */
interface Met {
  readonly name: string;
  readonly answer: Answer;
  readonly isSlow?: true;
  readonly isStray?: true;
  readonly isGone?: true;
}

const answers: readonly Met[] = [
  { name: "all is well", answer: goodAnswer },
  { name: "nobody is there", answer: reset, isGone: true },
  // An empty list misses Ada's job, which the proxy then reads singly.
  ...lossesOf(202).filter(({ name }) => name !== "a list instead of an object"),
  ...refusals,
  { name: "a 400 for an unknown action", answer: failure(400, actions, id) },
  { name: "a 403", answer: failure(403, "Forbidden", id) },
  { name: "999", answer: failure(999, "odd", id), isStray: true },
  { name: "a wait for 7 seconds", answer: failure(429, "no", { "retry-after": "7", ...id }) },
  ...[400, 402, 404].map(
    (status): Met => ({
      ...{ name: `a page with ${status}`, isStray: true },
      answer: raw(status, "<h1>Sorry</h1>", html),
    }),
  ),
  { name: "no status of the job", answer: success({ job_id: "job-7" }, 202, id) },
  { name: "too many bytes", answer: success(large, 202, id) },
  { name: "a body that is cut off behind a job's id", answer: cutBehindId },
];

test.each(answers)("a page is told the same as a program without proxy: $name", async (fault) => {
  const { url, received, close } = await listen(fault.answer);
  if (fault.isGone) close();
  const { told, page } = await compare(url, fault.isSlow && 400);
  for (const [name, end] of Object.entries(told)) {
    // An answer may do for one kind of call, and be useless for the others.
    const expected = "data" in end ? end : forPages(end, fault.isStray);
    // An id in a text that is no JSON may be one that a page has sent: no page is told of it.
    const isHidden = fault.answer === cutBehindId && name === "submitted";
    if (isHidden) expect(expected).toMatchObject({ jobId: "job-7" });
    const shown = isHidden ? { ...expected, jobId: undefined } : expected;
    expect({ name, ...page[name as keyof typeof page] }).toEqual({ name, ...shown });
  }
  // Each was sent once without the proxy, and once through it: a 429 alone frees the call's id.
  const sent = received.filter(({ method }) => ["POST", "PATCH"].includes(method));
  const isFree = "code" in told.submitted && told.submitted.code === "rate_limited";
  expect(sent).toHaveLength(fault.isGone ? 0 : isFree ? 9 : 6);
});

type Call = (client: AdGenClient) => Promise<unknown>;

/** Makes a call in virtual time, of a service that answers by a script whose last entry stays. */
const play = async (connect: Connect, call: Call, script: readonly Poll[]) => {
  const startedAt = performance.now();
  const now = (): number => Math.round(performance.now() - startedAt);
  const asked: number[] = [];
  const fetch: CustomFetch = async (request) => {
    const poll = script[Math.min(asked.length, script.length - 1)] as Poll;
    asked.push(now());
    return poll(request);
  };
  const client = await connect({ fetch });
  const ended = toResult(call(client)).then(({ ok, data, error }) => {
    const { outcome, jobId } = error ?? {};
    return { ok, at: now(), asked, data, outcome, jobId };
  });
  await vi.runAllTimersAsync();
  return ended;
};

const submit: Call = ({ jobs }) => jobs.submit(paidJob);
const remove: Call = ({ brands }) => brands.delete("b-1");
const wait: Call = (client) => pollJob(client, "job-1", { timeoutMs: 240_000 });

const good: Poll = () => {
  const job = { job_id: "job-1", status: "completed" };
  return Response.json({ success: true, data: { ...job, id: "b-1" }, error: null });
};
const outage = [offline, page(502), refused(503), refused(429, 2), refused(500), silent];
const pages = [page(404), page(401), page(403), page(200)];
const long = [refused(404), seen("queued", 5), ...outage, ...pages, refused(503, 9), good];

test.each<[what: string, Call, script: readonly Poll[], end: object]>([
  ["a submission after a 429", submit, [refused(429, 0), good], { ok: true }],
  ["a submission after a 503", submit, [refused(503, 0), good], { outcome: "unknown" }],
  ["a deletion after a 503", remove, [refused(503), good], { ok: true }],
  ["a deletion that was carried out", remove, [offline, refused(404)], { outcome: "unknown" }],
  ["a wait that meets everything", wait, long, { ok: true }],
])("the service is asked at the same times as without proxy: %s", async (_, call, script, end) => {
  vi.useFakeTimers();
  digestAtOnce();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const ended = await play(direct, call, script);
  expect(ended).toMatchObject(end);
  expect(await play(pageOf(), call, script)).toEqual(ended);
});
