// Lets a page's client call the proxy over a real socket.
import { createClient, type JobRequest, pollJob } from "adgen-sdk";
import { expect, test } from "vitest";
import { answerWithText, failure, success } from "../helpers/answers.ts";
import { rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { gone, type Meet, openProxy } from "./proxy-under-test.ts";

const request: JobRequest = { action: "generate-ad", prompt: "Lemonade" };

const clientOf = (port: number, owner = "ann", options = {}) =>
  createClient({
    ...{ baseUrl: `http://127.0.0.1:${port}/adgen`, apiKey: null, callIds: true },
    ...{ headers: { "x-owner": owner }, ...options },
  });

test("a page's client submits again after a second without the proxy's store, and pays once", async () => {
  const { port, service, meet } = await openProxy();
  const { jobs } = clientOf(port);
  let steps = 0;
  const away: Meet = (call) => (++steps > 1 ? call.go() : gone(call));
  meet(away);
  const startedAt = performance.now();
  expect(await jobs.submit(request)).toMatchObject({ job_id: "job-1" });
  expect(performance.now() - startedAt).toBeGreaterThan(950);
  expect(service.charges).toHaveLength(1);
});

test("a page's client reports an unknown outcome when the store fails during all attempts", async () => {
  const { port, service, meet, events } = await openProxy();
  meet(gone);
  const error = await rejection(clientOf(port).jobs.submit(request));
  expect(error).toMatchObject({ code: "server_error", status: 503, outcome: "unknown" });
  expect(error.attempts).toBe(3);
  expect([events.length, service.received.length]).toEqual([3, 0]);
});

test("a page's client submits again after authorize has failed, but not after its own time", async () => {
  let isDown = true;
  const authorize = () => {
    if (isDown) throw new Error("db is down");
    return "ann";
  };
  const { port, service, events } = await openProxy({ authorize, hooks: { onError: () => {} } });
  const error = await rejection(clientOf(port).jobs.submit(request, { timeoutMs: 900 }));
  expect(error).toMatchObject({ status: 500, outcome: "unknown", attempts: 1 });
  const submitted = clientOf(port).jobs.submit(request);
  setTimeout(() => {
    isDown = false;
  }, 500);
  expect(await submitted).toMatchObject({ job_id: "job-1" });
  expect(service.charges).toHaveLength(1);
  expect(events).toEqual([]);
});

test("a page's client repeats no submission in doubt, no change, and no call without an id", async () => {
  const { port, service, make } = await openProxy();
  const brand = await make("ann");
  service.play({ charges: true, answer: failure(500) });
  const error = await rejection(clientOf(port).jobs.submit(request));
  expect(error).toMatchObject({ status: 500, outcome: "unknown", attempts: 1 });
  const busy = { answer: failure(503, "busy", { "retry-after": "0" }) };
  service.play(busy);
  const kept = await rejection(clientOf(port).jobs.submit(request, { once: "hero-7" }));
  expect(kept).toMatchObject({ status: 503, outcome: "unknown", attempts: 1 });
  service.play(busy, busy);
  const changed = await rejection(clientOf(port).brands.update(brand, { name: "New" }));
  expect(changed).toMatchObject({ status: 503, outcome: "unknown", attempts: 1 });
  const { jobs } = clientOf(port, "ann", { callIds: false });
  expect(await rejection(jobs.submit(request))).toMatchObject({ status: 503, attempts: 1 });
});

test("a page's client repeats nothing before another proxy", async () => {
  const answers = [failure(503, "busy", { "retry-after": "0" })];
  const server = await listen(...answers);
  const { jobs } = clientOf(Number(new URL(server.url).port));
  const error = await rejection(jobs.submit(request, { once: "hero-7" }));
  expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  expect(server.received).toHaveLength(1);
});

test("a page that lost its prompt finds the job of its id in the error", async () => {
  const { port, service } = await openProxy();
  const client = clientOf(port);
  await client.jobs.submit(request, { once: "hero-7" });
  const lost: JobRequest = { action: "generate-ad" };
  const error = await rejection(client.jobs.submit(lost, { once: "hero-7" }));
  expect(error).toMatchObject({
    ...{ name: "InvalidRequestError", code: "invalid_request", status: 409 },
    ...{ outcome: "refused", jobId: "job-1", action: "generate-ad" },
  });
  expect(error.message).toContain("wait for it with pollJob(client, error.jobId)");
  service.play({ answer: success({ job_id: "job-1", status: "completed", result: {} }) });
  expect(await pollJob(client, String(error.jobId))).toMatchObject({ status: "completed" });
  // The same id is free for another user, and names no job of theirs.
  const eves = await clientOf(port, "eve").jobs.submit(lost, { once: "hero-7" });
  expect(eves.job_id).toBe("job-2");
  expect(service.charges).toHaveLength(2);
});

const submitTo = async (baseUrl: string, ...answer: Parameters<typeof answerWithText>) => {
  const server = await listen(answerWithText(...answer));
  const client = createClient({ baseUrl: `${server.url}${baseUrl}`, apiKey: null });
  return { error: await rejection(client.jobs.submit(request)), server };
};

test.each([
  ["adds a slash, as Next.js and SvelteKit do", 308, "/adgen", "/adgen/v1/jobs/"],
  ["adds a slash, as Django does", 301, "/adgen", "/adgen/v1/jobs/"],
  ["adds a slash and keeps a query", 307, "/adgen", "/adgen/v1/jobs/?a=b"],
  ["writes letters small", 301, "/AdGen", "/adgen/v1/jobs"],
  ["joins two slashes, as Go does", 302, "/a//adgen", "/a/adgen/v1/jobs"],
])(
  "a submission to a server that %s is not sent, and the message says what to do",
  async (_, status, baseUrl, location) => {
    const { error, server } = await submitTo(baseUrl, status, "", { location });
    expect(error).toMatchObject({ code: "unexpected_status", status, outcome: "not-sent" });
    expect(error.message).toContain(`wants the path ${location.split("?", 1)}, not ${baseUrl}`);
    expect(error.message).toContain("skipTrailingSlashRedirect");
    expect(error.message).not.toContain("charged");
    expect(server.received).toHaveLength(1);
  },
);

test("a submission that is redirected from http to https is not sent", async () => {
  const server = await listen((response, { headers, url }) => {
    response.writeHead(301, { location: `https://${headers.host}${url}` }).end();
  });
  const { jobs } = createClient({ baseUrl: server.url, apiKey: null });
  expect(await rejection(jobs.submit(request))).toMatchObject({ outcome: "not-sent" });
});

test.each([
  ["after a POST that was carried out", 303, "/adgen/v1/jobs/"],
  ["to a page for signing in", 302, "/login"],
  ["to the same address again", 307, "/adgen/v1/jobs"],
  ["to the same path of another host", 308, "http://other.test/adgen/v1/jobs/"],
  ["to another page of the app", 307, "/de/adgen/v1/jobs/"],
])("a submission that is redirected %s has an unknown outcome", async (_, status, location) => {
  const { error } = await submitTo("/adgen", status, "", { location });
  expect(error).toMatchObject({ status, outcome: "unknown" });
});

test("a path with a slash at its end names the same call", async () => {
  const { ask, service } = await openProxy();
  const submitted = await ask("ann", { method: "POST", path: "/v1/jobs/", body: request });
  expect(submitted.status).toBe(202);
  expect((await ask("ann", { path: "/v1/jobs/job-1/" })).body).toBe(
    (await ask("ann", { path: "/v1/jobs/job-1" })).body,
  );
  expect((await ask("ann", { path: "/v1/jobs/?limit=1" })).status).toBe(200);
  expect(service.sent("POST").map(({ url }) => url)).toEqual(["/v1/jobs"]);
});
