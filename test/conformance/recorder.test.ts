import { describe, expect, test } from "vitest";
import type { Assumption } from "../../mocks/conformance/assumptions.ts";
import { runScript } from "../../mocks/conformance/check/script.ts";
import {
  type AskService,
  askBy,
  type Question,
  type Reply,
} from "../../mocks/conformance/exchange.ts";
import { createRecorder, type Recorder } from "../../mocks/conformance/record/recorder.ts";
import { describeFinding } from "../../mocks/conformance/tally.ts";
import { createManualClock, createMockService, type MockService } from "../../mocks/index.ts";
import { createScriptedService, keys, scriptOptions } from "./mock-world.ts";
import { refuse, reword, straight, succeed, type Twist, when } from "./twisted-script.ts";

/** Asks a service whose answers are changed on their way, and records it. */
const record = (service: MockService, ...twists: readonly Twist[]) => {
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
const differing = (recorder: Recorder) =>
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
  const account = { credits: { image: { monthly: 50 }, video: { monthly: 50 } } };
  return createMockService({
    seed: "recorder",
    clock: createManualClock(Date.UTC(2026, 2, 2, 9, 15)),
    timeline: "per-poll",
    accounts: { [keys.first]: account, [keys.second]: account },
    ...options,
  });
};

/** Gives a field of the answers to some paths another name. */
const rename = (path: RegExp, from: string, to: string): Twist =>
  when((question) => path.test(question.path), reword(new RegExp(`"${from}":`, "g"), `"${to}":`));

const job = succeed(202, { job_id: "j", status: "queued" });
const empty: Twist = () => ({ status: 204, body: "" });
const noJson = "Request body must be valid JSON";

const ofJob = /^\/v1\/jobs\/./;
const isByOther = ({ headers }: Question) => headers["authorization"] === `Bearer ${keys.second}`;
const isBroken = ({ body, headers }: Question) => body === "{" && headers["authorization"] === "";
const isDeleted = ({ method }: Question, { status }: Reply) =>
  method === "DELETE" && status === 200;

/** Changes of the answers by which an assumption is turned round. */
const turned: { readonly [Name in Assumption]?: Twist } = {
  A2: when(({ body }) => body?.includes('"variations":11'), job),
  A3: rename(ofJob, "created_at", "submitted"),
  A4: rename(/^\/v1\/jobs/, "jobs", "items"),
  A5: rename(/^\/v1\/brands$/, "updated_at", "changed"),
  A6: rename(/^\/v1\/saved-ads$/, "created_at", "saved"),
  A7: when(isDeleted, empty),
  A8: rename(ofJob, "error", "reason"),
  A9: rename(ofJob, "images", "assets"),
  A11: when(({ body }) => body?.includes('"duration":61'), job),
  A14: when(isBroken, refuse(400, noJson)),
  A15: reword("API key invalid or missing", "Bad key"),
  A16: when(
    (asked, { status }) => isByOther(asked) && status === 404,
    refuse(403, "Job not found"),
  ),
  A17: when(
    ({ path }, { status }) => /ads$/.test(path) && status === 404,
    succeed(200, { ads: [] }),
  ),
  A20: when(
    (_, { status }) => status === 401,
    () => ({ headers: {} }),
  ),
  A21: when((_, { status }) => status === 405, refuse(404, "Endpoint not found")),
  A22: when(({ headers }) => headers["content-type"] === "text/plain", refuse(415, noJson)),
};

const findings: { readonly [Name in Assumption]?: string } = {
  A2: "a job with `variations: 11` is taken; 1 of 15 answers",
  A3: "a job has no `created_at`; 16 of 16 answers",
  A4: "a list is in `items`, not in `jobs`; 2 of 6 answers",
  A5: "a brand has no `updated_at`; 1 of 2 answers",
  A6: "a saved ad has no `created_at`; 2 of 2 answers",
  A7: "DELETE answers 204; 3 of 4 answers",
  A8: "a failed job has no `error`, but `reason`; 3 of 3 answers",
  A9: "results hold `assets`, not `images`; 4 of 8 answers",
  A11: "a job with `duration: 61` is taken; 1 of 1 answer",
  A14: "400 comes before 401 for POST /v1/brands; 1 of 1 answer",
  A15: 'a 401 says "Bad key"; 4 of 12 answers',
  A16: "another account's job is a 403; 1 of 1 answer",
  A17: "the ads of a deleted brand are listed; 1 of 2 answers",
  A20: "a 401 has no `WWW-Authenticate`; 4 of 4 answers",
  A21: "a method that a path does not have is a 404; 1 of 1 answer",
  A22: "JSON with `Content-Type: text/plain` is refused; 1 of 1 answer",
};

const twistOf = (assumption: string): Twist => turned[assumption as Assumption] ?? straight;

describe("the recorder", () => {
  /** Records a day at a service, and gives the recorder. */
  const recordDay = async (service: MockService, ...twists: readonly Twist[]) => {
    const { recorder, ask } = record(service, ...twists);
    const asked = await workADay(ask, (ms) => service.clock.advance(ms));
    return { recorder, asked };
  };

  const unseen = (recorder: Recorder) =>
    recorder
      .report()
      .assumptions.filter(({ verdict }) => verdict === "not seen")
      .map(({ assumption }) => assumption);

  test("finds no difference in the whole script at a service that is as assumed", async () => {
    const { recorder, ask } = record(createScriptedService());
    await runScript(ask, scriptOptions);
    expect(differing(recorder)).toEqual({});
    expect(recorder.report().exchanges).toBeGreaterThan(150);
    expect(recorder.report().unlikeDocument).toEqual([]);
    expect(unseen(recorder)).toEqual(["A8", "A10", "A12", "A13", "A18", "A19"]);
  });

  test("finds no difference in fifty requests, and sees what they show", async () => {
    const { recorder, asked } = await recordDay(createService());
    expect(asked).toBeLessThanOrEqual(50);
    expect(differing(recorder)).toEqual({});
    expect(recorder.report().unlikeDocument).toEqual([]);
    expect(unseen(recorder)).toEqual(["A12", "A13", "A18", "A19"]);
  });

  test.each(Object.entries(findings))("names %s alone when it is turned round", async (...row) => {
    const [assumption, finding] = row;
    const { recorder } = await recordDay(createService(), twistOf(assumption));
    expect(differing(recorder)).toEqual({ [assumption]: finding });
  });

  test("names A1 when the service reads another field", async () => {
    const twist = when(
      ({ method }, { status }) => method === "POST" && status === 202,
      refuse(400, "Invalid action. Supported: copy-ad"),
    );
    const { recorder, ask } = record(createService(), twist);
    const headers = { authorization: `Bearer ${keys.first}`, "content-type": "application/json" };
    await ask({ method: "POST", path: "/v1/jobs", headers, body: '{"action":"copy-ad"}' });
    expect(differing(recorder)).toEqual({
      A1: '`action: "copy-ad"` is refused as no action; 1 of 1 answer',
    });
  });

  test("names A10 when a job that expires is not found any more, and all others beside it", async () => {
    const forgetful = { expiry: "not-found" } as const;
    const { recorder } = await recordDay(createService(forgetful));
    expect(differing(recorder)).toEqual({ A10: "an expired job is a 404; 1 of 1 answer" });
    const names = Object.keys(findings);
    const all = await recordDay(createService(forgetful), ...names.map(twistOf));
    expect(Object.keys(differing(all.recorder)).sort()).toEqual([...names, "A10"].sort());
  });
});
