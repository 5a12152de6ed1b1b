// A page behind the proxy is told what a program is told that has the key, but for a few things.
import {
  type AdGenClient,
  type CustomFetch,
  createClient,
  markAsNotSent,
  pollJob,
  toResult,
} from "adgen-sdk";
import { createMemoryStore, createProxy } from "adgen-sdk/proxy";
import { expect, onTestFinished, test, vi } from "vitest";
import { failure, raw, reset, success } from "../helpers/answers.ts";
import { paidJob, testKey } from "../helpers/client.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";
import { offline, type Poll, refused, seen, silent } from "../polling/scripted-client.ts";

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

/** A page of Ada, or of somebody else, behind the proxy. What is there is Ada's. */
const pageOf =
  (owner = "ada"): Connect =>
  async (service, maxRetries) => {
    const store = createMemoryStore();
    const hooks = { onError: () => {} }; // failures are meant, and must not be printed
    const proxy = createProxy({ ...options, ...service, authorize: () => owner, store, hooks });
    await proxy.claim("job", "job-1", "ada");
    await proxy.claim("brand", "b-1", "ada");
    const page = { baseUrl: "https://shop.test/adgen", apiKey: null, callIds: true, maxRetries };
    return createClient({ ...page, fetch: (request) => proxy(request) });
  };

/** A failed call, as its caller can tell. */
interface Facts {
  readonly code: string;
  readonly status: number | undefined;
  readonly outcome: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly supportedActions: readonly string[] | undefined;
  readonly requestId: string | undefined;
  readonly jobId: string | undefined;
}

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
  if (ok) return { data };
  const { code, status, outcome, retryAfterMs, requestId, jobId } = error;
  const supportedActions = error.code === "bad_request" ? error.supportedActions : undefined;
  return { code, status, outcome, retryAfterMs, requestId, jobId, supportedActions };
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

const compare = async (baseUrl: string, timeoutMs?: number) => {
  const service = { baseUrl, timeoutMs, maxResponseBytes: 10_000 };
  const clients = await Promise.all([direct(service, 0), pageOf()(service, 0)]);
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
const cutBehindId: Answer = (response) => {
  response.writeHead(202, { "content-type": "application/json", "content-length": 999, ...id });
  const begin = '{"success":true,"data":{"job_id":"job-7","status":';
  response.write(begin, () => response.socket?.destroy());
};

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
const answers: readonly {
  name: string;
  answer: Answer;
  isSlow?: true;
  isStray?: true;
  isGone?: true;
}[] = [
  { name: "all is well", answer: goodAnswer },
  { name: "nobody is there", answer: reset, isGone: true },
  // An empty list misses Ada's job, which the proxy then reads singly.
  ...lossesOf(202).filter(({ name }) => name !== "a list instead of an object"),
  ...refusals,
  { name: "a 400 for an unknown action", answer: failure(400, actions, id) },
  { name: "a 403", answer: failure(403, "Forbidden", id) },
  { name: "999", answer: failure(999, "odd", id), isStray: true },
  { name: "a wait for 7 seconds", answer: failure(429, "no", { "retry-after": "7", ...id }) },
  { name: "a page with 400", answer: raw(400, "<h1>Sorry</h1>", html), isStray: true },
  { name: "a page with 402", answer: raw(402, "<h1>Sorry</h1>", html), isStray: true },
  { name: "a page with 404", answer: raw(404, "<h1>Sorry</h1>", html), isStray: true },
  { name: "no status of the job", answer: success({ job_id: "job-7" }, 202, id) },
  { name: "too many bytes", answer: success(large, 202, id) },
  { name: "a body that is cut off behind a job's id", answer: cutBehindId },
];

test.each(answers)("a page is told the same as a program without proxy: $name", async (fault) => {
  const { url, close } = await listen(fault.answer);
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
});

/** A service that answers by a script, whose last entry stays, and the times when it was asked. */
const playScript = (script: readonly Poll[]) => {
  const startedAt = performance.now();
  const now = (): number => Math.round(performance.now() - startedAt);
  const asked: number[] = [];
  const fetch: CustomFetch = async (request) => {
    const poll = script[Math.min(asked.length, script.length - 1)] as Poll;
    asked.push(now());
    return poll(request);
  };
  return { fetch, asked, now };
};

/** Repeated requests then come at once, or without jitter. */
const fixRandom = (value: number): void => {
  vi.spyOn(Math, "random").mockReturnValue(value);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
};

test("a page behind the proxy repeats requests as often as a program", async () => {
  fixRandom(0);
  type Call = (client: AdGenClient) => Promise<unknown>;
  const submit: Call = ({ jobs }) => jobs.submit(paidJob);
  const remove: Call = ({ brands }) => brands.delete("b-1");

  const good: Poll = () => {
    const job = { job_id: "job-1", status: "queued" };
    return Response.json({ success: true, data: { ...job, id: "b-1" }, error: null });
  };
  const notSent: Poll = () => Promise.reject(markAsNotSent(new Error("the line is cut")));

  /** Makes one call, and tells how it ended and how often the service was asked. */
  const make = async (connect: Connect, call: Call, script: readonly Poll[]) => {
    const { fetch, asked } = playScript(script);
    const { ok, error } = await toResult(call(await connect({ fetch })));
    return { ok, asked: asked.length, outcome: error?.outcome };
  };

  const rows: readonly [Call, readonly Poll[], object][] = [
    [submit, [refused(429, 0), good], { ok: true, asked: 2 }],
    [submit, [refused(503, 0), good], { asked: 1, outcome: "unknown" }],
    [remove, [refused(503), good], { ok: true, asked: 2 }],
    [remove, [offline, refused(404)], { outcome: "unknown" }],
    [({ jobs }) => jobs.get("job-1"), [refused(503), offline, good], { ok: true, asked: 3 }],
  ];
  for (const [call, script, expected] of rows) {
    const ended = await make(direct, call, script);
    expect(ended).toMatchObject(expected);
    expect(await make(pageOf(), call, script)).toEqual(ended);
  }
  // What was not sent is left to the page's user.
  const unsent = { ok: false, asked: 1, outcome: "not-sent" };
  expect(await make(pageOf(), submit, [notSent, good])).toEqual(unsent);
});

test("a wait behind the proxy ends as without it, at the same time, whatever it meets", async () => {
  vi.useFakeTimers();
  fixRandom(0.5);
  const page =
    (status: number): Poll =>
    () =>
      new Response("<h1>Sorry</h1>", { status, headers: html });

  /** Waits for a job, and tells when it ended, how, and when the service saw its polls. */
  const wait = async (connect: Connect, script: readonly Poll[]) => {
    const { fetch, asked: polls, now } = playScript(script);
    const client = await connect({ fetch });
    const ended = pollJob(client, "job-1", { timeoutMs: 240_000 }).then(
      (value) => ({ at: now(), value, polls }),
      ({ code, status, jobId }) => ({ at: now(), error: { code, status, jobId }, polls }),
    );
    await vi.runAllTimersAsync();
    return ended;
  };

  const outage = [offline, page(502), refused(503), refused(429, 2), refused(500), silent];
  const pages = [page(404), page(401), page(403), page(200)];
  const begin = [refused(404), seen("queued", 5), ...outage, ...pages];
  const done = [refused(503, 9), seen("completed")];
  // Its key is being changed meanwhile: a program would end at that.
  const ended = await wait(pageOf(), [...begin, refused(401), refused(403), ...done]);
  expect(ended).toMatchObject({ value: { status: "completed" } });
  expect(ended).toEqual(await wait(direct, [...begin, refused(500), refused(500), ...done]));
  const gone = [seen("processing"), refused(404)];
  expect(await wait(pageOf(), gone)).toEqual(await wait(direct, gone));
  // Somebody else's job is like an unknown one, and the service is not asked.
  const unknown = { ...(await wait(direct, [refused(404)])), polls: [] };
  expect(await wait(pageOf("bob"), done)).toEqual(unknown);
});
