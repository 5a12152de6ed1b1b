import { beforeAll, expect, test } from "vitest";
import { failure } from "../helpers/answers.ts";
import { streamOf } from "../helpers/calls.ts";
import { secretKey } from "./fake-service.ts";
import {
  dataOf,
  failureOf,
  openProxy,
  type ProxyUnderTest,
  perDay,
  submissionOf,
} from "./proxy-under-test.ts";

const json = '{"action":"generate-ad","prompt":"Sale"}';

test("the service gets exactly the body that was checked and counted", async () => {
  const { ask, make, service, used } = await openProxy(perDay({ imageCredits: 5 }));
  const [mine, others] = [await make("ann"), await make("eve")];
  const send = async (members: string) => {
    const body = `{"action":"generate-ad",${members}}`;
    return (await ask("ann", { method: "POST", body })).status;
  };
  const sent = () => service.received.at(-1)?.body;
  expect(
    await send(`"variations":10,"variations":1,"brand_id":"${others}","brand_id":"${mine}"`),
  ).toBe(202);
  expect(sent()).toBe(`{"action":"generate-ad","variations":1,"brand_id":"${mine}"}`);
  expect(await send('"variations":1,"variations":5')).toBe(402);
  expect(await used()).toEqual([1]);
});

test("the proxy reads a body with any characters, in pieces of one byte, or with a byte order mark", async () => {
  const { proxy, submit, ask, service } = await openProxy();
  const odd = {
    prompt: 'Zo\u00EB \u{1F600} \u2028 "\\ \0 <script> \u202E',
    deep: [{ a: [null, 1.5, true, -0.001, 1e21] }],
    signs: '",[{}]\\'.repeat(150_000),
    end: "\\",
  };
  expect((await submit("ann", odd)).status).toBe(202);
  const text = '{"action":"generate-ad","prompt":"Zo\u00EB \u{1F600}"}';
  const body = streamOf(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)));
  expect((await proxy(submissionOf(undefined, { body, duplex: "half" }))).status).toBe(202);
  expect((await ask("ann", { method: "POST", body: `\uFEFF${json}` })).status).toBe(202);
  const [first, ...others] = service.sent("POST").map(({ body }) => body);
  expect(JSON.parse(first ?? "")).toEqual({ action: "generate-ad", ...odd });
  expect(others).toEqual([text, json]);
});

/** Returns the head of a submission with more headers, as a browser writes it. */
const head = (...more: readonly string[]): string =>
  ["POST /adgen/v1/jobs HTTP/1.1", "Host: page.test", "X-Owner: ann"]
    .concat("Content-Type: application/json", more, "", "")
    .join("\r\n");

test("the proxy refuses a body that is too large by its content-length, before it reads a byte", async () => {
  const { dial, service } = await openProxy({ maxRequestBytes: 1_000 });
  const { socket, said } = dial();
  socket.write(head("Content-Length: 100000000000"));
  expect(await said).toMatch(/^HTTP\/1\.1 413 /);
  expect(service.received).toHaveLength(0);
});

test("the proxy refuses a body without an end while it arrives", async () => {
  const { dial, service } = await openProxy({ maxRequestBytes: 100_000 });
  const { socket, said } = dial();
  socket.write(head("Transfer-Encoding: chunked"));
  let isAnswered = false;
  void said.then(() => {
    isAnswered = true;
  });
  const piece = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  let sent = 0;
  while (!isAnswered && sent < 200 && !socket.destroyed) {
    sent++;
    await new Promise((written) => socket.write(piece, written));
    await new Promise((soon) => setImmediate(soon));
  }
  expect(await said).toMatch(/^HTTP\/1\.1 413 /);
  expect(sent).toBeLessThan(200);
  expect(service.received).toHaveLength(0);
});

test("the proxy takes a body of exactly maxRequestBytes, and refuses one more byte", async () => {
  const { submit, service } = await openProxy({ maxRequestBytes: 2_000 });
  const around = JSON.stringify({ action: "generate-ad", prompt: "" }).length;
  const prompt = "x".repeat(2_000 - around);
  expect((await submit("ann", { prompt })).status).toBe(202);
  const refused = failureOf(await submit("ann", { prompt: `${prompt}x` }));
  expect(refused).toMatchObject({ status: 413, outcome: "refused", data: null });
  // The limit counts bytes, so a character of two bytes counts as two.
  expect((await submit("ann", { prompt: `${prompt.slice(1)}\u00EB` })).status).toBe(413);
  expect(service.charges).toHaveLength(1);
});

test("a body that its page cuts off makes no job", async () => {
  const { dial, service, events, statusOf } = await openProxy();
  const { socket } = dial();
  socket.end(head("Content-Length: 100") + json).resume();
  await new Promise((closed) => socket.once("close", closed));
  expect(await statusOf("ann", "/v1/jobs")).toBe(200);
  expect(service.sent("POST")).toEqual([]);
  expect(events.every(({ status, method }) => method === "GET" || status >= 400)).toBe(true);
});

const bytesOf = (callId: string) =>
  head(`Idempotency-Key: ${callId}`, `Content-Length: ${json.length}`) + json;

test("a page that resets its connection at any moment and submits again gets one job", async () => {
  const { service, dial, submit } = await openProxy();
  let jobs = 0;
  for (let at = 4; at <= 100; at += 4) {
    const bytes = bytesOf(`call-${at}`);
    const part = bytes.slice(0, Math.ceil((bytes.length * at) / 100));
    for (const end of ["resetAndDestroy", "destroy"] as const) {
      const { socket } = dial();
      socket.write(part, () => socket[end]());
    }
    expect((await submit("ann", {}, `call-${at}`)).status).toBe(202);
    expect(service.sent("POST")).toHaveLength(++jobs);
  }
});

test("a page that resets its connection while the service works gets the answer when it submits again", async () => {
  const { service, dial, submit, list, events } = await openProxy();
  const held = service.hold();
  const { socket } = dial();
  socket.write(bytesOf("call-1"));
  await held.begun;
  socket.resetAndDestroy();
  const again = submit("ann", {}, "call-1");
  await new Promise((soon) => setTimeout(soon, 20));
  expect(events).toEqual([]);
  held.open();
  expect(dataOf(await again).data).toMatchObject({ job_id: "job-1" });
  expect(service.sent("POST")).toHaveLength(1);
  expect(events.map(({ repeated }) => repeated).sort()).toEqual([false, true]);
  expect(await list("ann")).toEqual(["job-1"]);
});

const end = "Host: page.test\r\nX-Owner: ann\r\nConnection: close\r\n\r\n";

let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await openProxy();
  await stage.submit("ann");
});

const targets = [
  ...["/adgen", "/adgen/v1", "/adgen/v1/", "/adgen/v1/jobs//", "/adgen/v1/jobs/job-1//"],
  ...["/adgen/v1/jobs/job-1/result", "/adgen/v1//jobs", "/adgen//v1//jobs/job-1"],
  ...["/adgen/v1/Jobs/job-1", "/adgen/V1/jobs/job-1", "/adgen/v1/jobs;x=1"],
  ...["/adgen/v1/jobs/job-1;x=1", "/adgen/v1/jobs%2fjob-1", "/adgen/v1%2fjobs/job-1"],
  ...["/adgen/v1/jobs/job-1%2f..%2fjob-1", "/adgen/v1/jobs/..%2fbrands"],
  ...["/adgen/v1/jobs/%2e%2e/brands%00", "/adgen/v1/jobs/.."],
  ...["/adgen/v1/jobs/%252e%252e", "/adgen/v1/jobs/job-1%00"],
  ...["/adgen/v1/jobs/job-1%0d%0aX-A:%20b", "/adgen/v1/jobs/job-1%20", "/adgen/v1/jobs/%"],
  ...["/adgen/v1/jobs/%zz", "/adgen/v1/jobs/%ff%fe", "/adgen/v1/jobs/%C0%AE%C0%AE"],
  ...["/adgen/v1/jobs\\job-1\\..", "/adgen/v1/jobs/..\\brands", "/adgen/v1/brands/v1/jobs"],
  ...["/adgen/v1/jobs/v1/jobs/job-1", "/adgen/v1/brands/%2e%2e%2fjobs%2fjob-1/ads"],
  ...["/adgen/v1/brands//ads", "/adgen/v1/jobs/@service.test", "/adgen/v1/accounts"],
  ...["/adgen/v2/jobs", "/adgen/v1jobs", "/adgen/__mock/state", "*"],
  ...["//service.test/v1/jobs/job-9", `/adgen/v1/jobs/${"x".repeat(300)}`],
];
test.each(targets)("the path %s sends nothing", async (target) => {
  const before = stage.service.received.length;
  const said = await stage.speak(`GET ${target} HTTP/1.1\r\n${end}`);
  expect(said).toMatch(/^HTTP\/1\.1 (400|404|405) /);
  expect(said).not.toMatch(/queued|x-a:/i);
  expect(stage.service.received).toHaveLength(before);
});

// Each runtime reads these URLs as the path of a call.
test.each([
  ...["/adgen/v1/brands/../jobs/job-1", "/adgen/v1/brands/%2e%2E/jobs/job-1", "/v1/jobs/job-1"],
  ...["/a/b/c/v1/jobs/job-1", "/adgen/v1/jobs/%6Aob-1", "/adgen/v1/jobs/job-1?/../brands"],
  ...["/adgen/v1/jobs/job-1#/../../brands", "http://service.test/adgen/v1/jobs/job-1"],
  ...["http://127.0.0.1:9/adgen/v1/jobs/job-1", "/adgen/v1/jobs/job-1/"],
])("the path %s leads only to the owner's things", async (target) => {
  const { speak, service } = stage;
  const own = await speak(`GET ${target} HTTP/1.1\r\n${end}`);
  const other = await speak(`GET ${target} HTTP/1.1\r\n${end.replace("ann", "eve")}`);
  expect(own).toMatch(/^HTTP\/1\.1 (200|400|403|404) /);
  expect(other).toMatch(/^HTTP\/1\.1 (400|403|404) /);
  for (const { url, headers } of service.received.slice(1)) {
    expect([url, headers.host]).toEqual(["/v1/jobs/job-1", new URL(service.url).host]);
  }
});

/** Headers that a page, its browser or an attacker may add. */
const fromThePage = {
  ...{ authorization: "Bearer stolen", cookie: "session=1", "x-forwarded-for": "1.2.3.4" },
  ...{ "x-forwarded-proto": "https", forwarded: "for=1.2.3.4", "x-real-ip": "1.2.3.4" },
  ...{ "x-api-key": "stolen", "x-http-method-override": "DELETE", te: "trailers" },
  ...{ referer: "http://page.test/secret", "proxy-authorization": "Basic abc" },
  ...{ "accept-language": "de", traceparent: "00-1", "if-none-match": "*", range: "bytes=0-1" },
  ...{ "x-http-method": "DELETE", expect2: "x" },
};

/** Headers that a service, or a server before it, may add. */
const fromTheService = {
  ...{ server: "nginx/1.2", "x-powered-by": "Express", "set-cookie": ["session=1", "other=2"] },
  ...{ location: "http://10.0.0.7/v1/jobs", via: "1.1 internal", etag: '"1"', "x-account": "acme" },
  ...{ "access-control-allow-origin": "*", "access-control-allow-credentials": "true" },
  ...{ "cache-control": "public, max-age=3600", "www-authenticate": "Bearer" },
  ...{ "content-security-policy": "x", "content-disposition": "attachment" },
  ...{ "clear-site-data": '"*"', link: "<http://10.0.0.7>", "adgen-outcome": "not-sent" },
};

test("the proxy passes only known headers to the service", async () => {
  const { submit, ask, service } = await openProxy();
  await submit("ann", {}, "call-1", fromThePage);
  await ask("ann", { path: "/v1/jobs/job-1?_method=DELETE", headers: fromThePage });
  const [post, get] = service.received;
  expect([post?.method, get?.method]).toEqual(["POST", "GET"]);
  const names = [
    ...["accept", "authorization", "accept-encoding", "cache-control", "pragma"],
    ...["accept-language", "connection", "host", "sec-fetch-mode", "user-agent"],
  ];
  for (const name of Object.keys(get?.headers ?? {})) expect(names).toContain(name);
  const more = Object.keys(post?.headers ?? {}).filter((name) => !names.includes(name));
  expect(more.sort()).toEqual(["content-length", "content-type"]);
  for (const request of [post, get]) {
    expect(request?.headers.authorization).toBe(`Bearer ${secretKey}`);
    expect(request?.headers["accept-language"] ?? "*").toBe("*");
    const foreign = /stolen|session|1\.2\.3\.4|page|ann|call-1/;
    expect(JSON.stringify(request?.headers)).not.toMatch(foreign);
  }
});

test("the proxy passes only known headers back to the page", async () => {
  const { submit, ask, service } = await openProxy();
  const headers = { ...fromTheService, "x-request-id": "r-1", "retry-after": "3" };
  service.play({ headers }, { headers }, { answer: failure(402, "No credits", headers) });
  const own = {
    ...{ "cache-control": "no-store", "x-content-type-options": "nosniff" },
    ...{ "content-type": "application/json", "retry-after": "3", "x-request-id": "r-1" },
  };
  const framing = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
  const shown = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !framing.includes(name)));
  expect(shown((await submit("ann")).headers)).toEqual(own);
  expect(shown((await ask("ann", { path: "/v1/jobs/job-1" })).headers)).toEqual(own);
  expect(shown((await submit("ann")).headers)).toEqual({ ...own, "adgen-outcome": "refused" });
});

test("a proxy with endpoints and actions refuses all other calls and actions", async () => {
  const actions = ["generate-ad"] as const;
  const endpoints = ["jobs.submit", "jobs.get"] as const;
  const { statusOf, submit } = await openProxy({ endpoints, actions });
  expect((await submit("ann")).status).toBe(202);
  const copy = failureOf(await submit("ann", { action: "copy-ad" }));
  expect([copy.status, copy.error]).toEqual([400, "Invalid action. Supported: generate-ad"]);
  expect(await statusOf("ann", "/v1/jobs")).toBe(405);
  expect(await statusOf("ann", "/v1/brands")).toBe(404);
});
