import { describe, expect, test } from "vitest";
import type { Assumption } from "../../mocks/conformance/assumptions.ts";
import { runScript } from "../../mocks/conformance/check/script.ts";
import { type AskService, askBy } from "../../mocks/conformance/exchange.ts";
import { createRecorder } from "../../mocks/conformance/record/recorder.ts";
import { describeFinding } from "../../mocks/conformance/tally.ts";
import { createManualClock, createMockService } from "../../mocks/index.ts";
import { createScriptedService, keys, scriptOptions } from "./mock-world.ts";
import type { Twist } from "./twisted-script.ts";

/** Asks a service whose answers are changed on their way, and records it. */
const record = (service = createScriptedService(), ...twists: readonly Twist[]) => {
  const recorder = createRecorder(() => service.clock.now());
  const askService = askBy(service.fetch, "https://ads.test");
  const ask: AskService = async (question) => {
    const reply = { ...(await askService(question)) };
    for (const twist of twists) Object.assign(reply, twist(question, reply));
    recorder.note(question, reply);
    return reply;
  };
  return { recorder, ask };
};

/** Describes the assumptions that differ, by number. */
const differing = ({ recorder }: Pick<ReturnType<typeof record>, "recorder">) =>
  Object.fromEntries(
    recorder
      .report()
      .assumptions.filter(({ verdict }) => verdict === "differs")
      .map((finding) => [finding.assumption, describeFinding(finding)]),
  );

/** Fifty requests of a developer's day: jobs, brands and ads, with some mistakes. */
const workADay = async (ask: AskService, pass: (ms: number) => void): Promise<number> => {
  let asked = 0;
  const send = async (method: string, path: string, body?: unknown, more: object = {}) => {
    asked += 1;
    const reply = await ask({
      method,
      path,
      headers: {
        authorization: `Bearer ${keys.first}`,
        "content-type": "application/json",
        ...more,
      },
      ...(body !== undefined && {
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    });
    return reply.body === "" ? {} : (JSON.parse(reply.body).data ?? {});
  };
  const other = { authorization: `Bearer ${keys.second}` };

  const { id: brand } = await send("POST", "/v1/brands", { name: "Lemonade" });
  await send("POST", "/v1/brands", { site: "https://example.com" });
  await send("PATCH", `/v1/brands/${brand}`, { name: "Soda" });
  await send("GET", "/v1/brands");
  await send("GET", "/v1/brands", undefined, other);
  for (const path of ["/v1/jobs", "/v1/brands", "/v1/saved-ads"]) {
    await send("GET", path, undefined, { authorization: "Bearer test-nobody" });
  }
  await send("POST", "/v1/brands", "{", { authorization: "" });
  await send("PUT", "/v1/jobs");

  const jobs: string[] = [];
  for (const request of [
    { action: "generate-ad", variations: 2 },
    { action: "image-a-2" },
    { action: "video-a-2", duration: 2 },
    { action: "generate-ad-copy", prompt: "Ice-cold" },
    { action: "edit-ad", prompt: "[[fail: moderation]]", images: ["https://example.com/a.png"] },
    { action: "generate-ad", variations: 11 },
    { action: "generate-ad", prompt: 4 },
    { action: "video-a-2", duration: 61 },
    { action: "make-ad" },
    { prompt: "no action" },
  ]) {
    const { job_id } = await send("POST", "/v1/jobs", request);
    if (job_id !== undefined) jobs.push(job_id);
  }
  const text = JSON.stringify({ action: "generate-ad-copy" });
  await send("POST", "/v1/jobs", text, { "content-type": "text/plain" });
  for (const job of jobs) for (let poll = 0; poll < 3; poll++) await send("GET", `/v1/jobs/${job}`);
  await send("GET", `/v1/jobs/${jobs[0]}`, undefined, other);
  await send("GET", "/v1/jobs");
  await send("GET", "/v1/jobs?limit=1");
  await send("GET", "/v1/jobs?limit=0");

  const { id: ad } = await send("POST", "/v1/saved-ads", { brand_id: brand, headline: "Cold" });
  const { id: second } = await send("POST", "/v1/saved-ads", { brand_id: brand });
  await send("GET", `/v1/brands/${brand}/ads`);
  await send("DELETE", `/v1/saved-ads/${second}`);
  await send("DELETE", `/v1/brands/${brand}`);
  await send("GET", `/v1/brands/${brand}/ads`);
  await send("DELETE", `/v1/saved-ads/${ad}`);
  const { job_id: late } = await send("POST", "/v1/jobs", { action: "copy-ad" });
  pass(1_800_000);
  await send("GET", `/v1/jobs/${late}`);
  return asked;
};

/** A service with all accounts, whose jobs finish by time. */
const createService = (options: { readonly expiry?: "not-found" } = {}) => {
  const base = createManualClock(Date.UTC(2026, 2, 2, 9, 15));
  const account = { credits: { image: { monthly: 50 }, video: { monthly: 50 } } };
  return createMockService({
    seed: "recorder",
    clock: base,
    timeline: "per-poll",
    accounts: { [keys.first]: account, [keys.second]: account },
    ...options,
  });
};

const rename =
  (path: RegExp, from: string, to: string): Twist =>
  (question, { body }) =>
    path.test(question.path) ? { body: body.replaceAll(`"${from}":`, `"${to}":`) } : {};

const taken = (data: object): Twist => {
  const body = JSON.stringify({ success: true, data, error: null });
  return () => ({ status: 202, body });
};

const when =
  (fits: (...args: Parameters<Twist>) => boolean | undefined, twist: Twist): Twist =>
  (question, reply) =>
    fits(question, reply) ? twist(question, reply) : {};

const refused = (status: number, error: string): Twist => {
  const body = JSON.stringify({ success: false, data: null, error });
  return () => ({ status, body, headers: {} });
};

/** Assumptions turned round: the change of the answers, and the finding. */
const turned: readonly [Assumption, Twist, RegExp][] = [
  [
    "A2",
    when(({ body }) => body?.includes('"variations":11'), taken({ job_id: "j", status: "queued" })),
    /^a job with `variations: 11` is taken; 1 of \d+ answers$/,
  ],
  [
    "A3",
    rename(/^\/v1\/jobs\/./, "created_at", "submitted"),
    /^a job has no `created_at`; \d+ of \d+ answers$/,
  ],
  [
    "A4",
    rename(/^\/v1\/jobs/, "jobs", "items"),
    /^a list is in `items`, not in `jobs`; 2 of \d answers$/,
  ],
  [
    "A5",
    rename(/^\/v1\/brands$/, "updated_at", "changed"),
    /^a brand has no `updated_at`; 1 of 2 answers$/,
  ],
  [
    "A6",
    rename(/^\/v1\/saved-ads$/, "created_at", "saved"),
    /^a saved ad has no `created_at`; 2 of 2 answers$/,
  ],
  [
    "A7",
    when(
      ({ method }, { status }) => method === "DELETE" && status === 200,
      () => ({ status: 204, body: "" }),
    ),
    /^DELETE answers 204; \d of \d answers$/,
  ],
  ["A8", rename(/^\/v1\/jobs\/./, "error", "reason"), /^a failed job has no `error`/],
  [
    "A9",
    rename(/^\/v1\/jobs\/./, "images", "assets"),
    /^results hold `assets`, not `images`; \d of \d+ answers$/,
  ],
  [
    "A11",
    when(({ body }) => body?.includes('"duration":61'), taken({ job_id: "j", status: "queued" })),
    /^a job with `duration: 61` is taken; 1 of 1 answer$/,
  ],
  [
    "A14",
    when(
      ({ body, headers }) => body === "{" && headers["authorization"] === "",
      refused(400, "Request body must be valid JSON"),
    ),
    /^400 comes before 401 for POST \/v1\/brands; 1 of 1 answer$/,
  ],
  [
    "A15",
    (_, { body }) => ({ body: body.replaceAll("API key invalid or missing", "Bad key") }),
    /^a 401 says "Bad key"; \d of \d+ answers$/,
  ],
  [
    "A16",
    when(
      ({ headers }, { status }) =>
        headers["authorization"] === `Bearer ${keys.second}` && status === 404,
      refused(403, "Job not found"),
    ),
    /^another account's job is a 403; 1 of 1 answer$/,
  ],
  [
    "A17",
    when(
      ({ path }, { status }) => path.endsWith("/ads") && status === 404,
      () => ({ status: 200, body: '{"success":true,"data":{"ads":[]},"error":null}' }),
    ),
    /^the ads of a deleted brand are listed; 1 of 2 answers$/,
  ],
  [
    "A20",
    when(
      (_, { status }) => status === 401,
      () => ({ headers: {} }),
    ),
    /^a 401 has no `WWW-Authenticate`; \d of \d answers$/,
  ],
  [
    "A21",
    when((_, { status }) => status === 405, refused(404, "Endpoint not found")),
    /^a method that a path does not have is a 404; 1 of 1 answer$/,
  ],
  [
    "A22",
    when(
      ({ headers }) => headers["content-type"] === "text/plain",
      refused(415, "Request body must be valid JSON"),
    ),
    /^JSON with `Content-Type: text\/plain` is refused; 1 of 1 answer$/,
  ],
];

describe("the recorder", () => {
  test("finds no difference in the whole script at a service that is as assumed", async () => {
    const { recorder, ask } = record();
    await runScript(ask, scriptOptions);
    expect(differing({ recorder })).toEqual({});
    const { assumptions, unlikeDocument, exchanges } = recorder.report();
    expect(exchanges).toBeGreaterThan(150);
    expect(unlikeDocument).toEqual([]);
    const unseen = assumptions.filter(({ verdict }) => verdict === "not seen");
    expect(unseen.map(({ assumption }) => assumption)).toEqual([
      "A8",
      "A10",
      "A12",
      "A13",
      "A18",
      "A19",
    ]);
  });

  test("finds no difference in fifty requests, and sees what they show", async () => {
    const service = createService();
    const { recorder, ask } = record(service);
    const asked = await workADay(ask, (ms) => service.clock.advance(ms));
    expect(asked).toBeLessThanOrEqual(50);
    expect(differing({ recorder })).toEqual({});
    expect(recorder.report().unlikeDocument).toEqual([]);
    const unseen = recorder.report().assumptions.filter(({ verdict }) => verdict === "not seen");
    expect(unseen.map(({ assumption }) => assumption)).toEqual(["A12", "A13", "A18", "A19"]);
  });

  test.each(turned)(
    "names %s alone when it is turned round",
    async (assumption, twist, finding) => {
      const service = createService();
      const { recorder, ask } = record(service, twist);
      await workADay(ask, (ms) => service.clock.advance(ms));
      expect(differing({ recorder })).toEqual({ [assumption]: expect.stringMatching(finding) });
    },
  );

  test("names A1 when the service reads another field", async () => {
    const { recorder, ask } = record(createService(), (question, reply) =>
      question.path === "/v1/jobs" && question.method === "POST" && reply.status === 202
        ? refused(400, "Invalid action. Supported: copy-ad")(question, reply)
        : {},
    );
    const headers = { authorization: `Bearer ${keys.first}`, "content-type": "application/json" };
    await ask({ method: "POST", path: "/v1/jobs", headers, body: '{"action":"copy-ad"}' });
    expect(differing({ recorder })).toEqual({
      A1: '`action: "copy-ad"` is refused as no action; 1 of 1 answer',
    });
  });

  test("names A10 when a job that expires is not found any more", async () => {
    const service = createService({ expiry: "not-found" });
    const { recorder, ask } = record(service);
    await workADay(ask, (ms) => service.clock.advance(ms));
    expect(differing({ recorder })).toEqual({ A10: "an expired job is a 404; 1 of 1 answer" });
  });

  test("names all that are turned round at once, and no other", async () => {
    const service = createService({ expiry: "not-found" });
    const { recorder, ask } = record(service, ...turned.map(([, twist]) => twist));
    await workADay(ask, (ms) => service.clock.advance(ms));
    const expected = [...turned.map(([assumption]) => assumption), "A10"];
    expect(Object.keys(differing({ recorder })).sort()).toEqual(expected.sort());
  });
});
