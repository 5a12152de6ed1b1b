import { describe, expect, test } from "vitest";
import type { Assumption } from "../../mocks/conformance/assumptions.ts";
import { runScript } from "../../mocks/conformance/check/script.ts";
import type { Question, Reply } from "../../mocks/conformance/exchange.ts";
import { createRecorder } from "../../mocks/conformance/record/recorder.ts";
import { describeFinding } from "../../mocks/conformance/tally.ts";
import type { MockServiceOptions } from "../../mocks/index.ts";
import { keysOf } from "../../mocks/options/require.ts";
import {
  askTwisted,
  createScriptedService,
  keys,
  refuse,
  reword,
  scriptOptions,
  succeed,
  type Twist,
  when,
} from "./mock-world.ts";

/** Records the whole script, and jobs that fail and expire, at a service with changed answers. */
const record = async (twists: readonly Twist[] = [], options: MockServiceOptions = {}) => {
  const service = createScriptedService(options);
  const recorder = createRecorder(() => service.clock.now());
  const askService = askTwisted(service, ...twists);
  const ask = async (question: Question): Promise<Reply> => {
    const reply = await askService(question);
    recorder.note(question, reply);
    return reply;
  };
  await runScript(ask, scriptOptions);
  await ask({ method: "POST", path: "/v1/brands", headers: {}, body: "{" });
  const headers = { authorization: `Bearer ${keys.first}`, "content-type": "application/json" };
  for (const [prompt, ms] of [
    ["[[fail: moderation]]", 0],
    ["Lemonade", 1_800_000],
  ] as const) {
    const body = JSON.stringify({ action: "copy-ad", prompt });
    const taken = await ask({ method: "POST", path: "/v1/jobs", headers, body });
    const path = `/v1/jobs/${JSON.parse(taken.body).data?.job_id}`;
    const poll = { method: "GET", path, headers };
    await ask(poll);
    service.clock.advance(ms);
    await ask(poll);
  }
  const { assumptions, ...report } = recorder.report();
  const findings = assumptions.filter(({ verdict }) => verdict === "differs");
  return {
    ...report,
    differing: Object.fromEntries(findings.map((one) => [one.assumption, describeFinding(one)])),
    unseen: assumptions
      .filter(({ verdict }) => verdict === "not seen")
      .map(({ assumption }) => assumption),
  };
};

/** Gives a field of the answers to some paths another name. */
const rename = (path: RegExp, from: string, to: string): Twist =>
  when((question) => path.test(question.path), reword(new RegExp(`"${from}":`, "g"), `"${to}":`));

const job = succeed(202, { job_id: "j", status: "queued" });
const empty: Twist = () => ({ status: 204, body: "" });
const noJson = "Request body must be valid JSON";

const ofJob = /^\/v1\/jobs\/./;
const isByOther = ({ headers }: Question) => headers["authorization"] === `Bearer ${keys.second}`;
const isBroken = ({ body, headers }: Question) =>
  body === "{" && headers["authorization"] === undefined;
const isDeleted = ({ method }: Question, { status }: Reply) =>
  method === "DELETE" && status === 200;

const isOtherJob = (asked: Question, { status }: Reply) =>
  isByOther(asked) && ofJob.test(asked.path) && status === 404;
const isGoneAds = (asked: Question, { status }: Reply) =>
  /\/ads$/.test(asked.path) && status === 404 && !isByOther(asked);
const isEdit = ({ body }: Question, { status }: Reply) =>
  status === 202 && body?.includes('"edit-ad"');
const isText = ({ headers }: Question) => headers["content-type"] === "text/plain";
const without: Twist = () => ({ headers: {} });

/** Changes of the answers, each of which turns one assumption round. */
const turned = {
  A1: when(isEdit, refuse(400, "Invalid action. Supported: copy-ad")),
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
  A16: when(isOtherJob, refuse(403, "Job not found")),
  A17: when(isGoneAds, succeed(200, { ads: [] })),
  A20: when((_, { status }) => status === 401, without),
  A21: when((_, { status }) => status === 405, refuse(404, "Endpoint not found")),
  A22: when(isText, refuse(415, noJson)),
} satisfies { readonly [Name in Assumption]?: Twist };

/** The words about each of them. */
const words: Readonly<Record<keyof typeof turned, string>> = {
  A1: '`action: "edit-ad"` is refused as no action; 1 of 23 answers',
  A2: "a job with `variations: 11` is taken; 2 of 38 answers",
  A3: "a job has no `created_at`; 13 of 13 answers",
  A4: "a list is in `items`, not in `jobs`; 3 of 19 answers",
  A5: "a brand has no `updated_at`; 3 of 7 answers",
  A6: "a saved ad has no `created_at`; 2 of 4 answers",
  A7: "DELETE answers 204; 5 of 8 answers",
  A8: "a failed job has no `error`, but `reason`; 2 of 2 answers",
  A9: "results hold `assets`, not `images`; 1 of 5 answers",
  A11: "a job with `duration: 61` is taken; 1 of 3 answers",
  A14: "400 comes before 401 for POST /v1/brands; 1 of 4 answers",
  A15: 'a 401 says "Bad key"; 22 of 109 answers',
  A16: "another account's job is a 403; 1 of 5 answers",
  A17: "the ads of a deleted brand are listed; 1 of 2 answers",
  A20: "a 401 has no `WWW-Authenticate`; 22 of 22 answers",
  A21: "a method that a path does not have is a 404; 8 of 8 answers",
  A22: "JSON with `Content-Type: text/plain` is refused; 1 of 1 answer",
};

describe("the recorder", () => {
  test("finds no difference at a service that is as assumed, and sees what answers show", async () => {
    const { differing, exchanges, unlikeDocument, unseen } = await record();
    expect([differing, unlikeDocument]).toEqual([{}, []]);
    expect(exchanges).toBeGreaterThan(150);
    expect(unseen).toEqual(["A12", "A13", "A18", "A19", "A23"]);
  });

  test.each(keysOf(turned))("names %s alone when it is turned round", async (assumption) => {
    const { differing } = await record([turned[assumption]]);
    expect(differing).toEqual({ [assumption]: words[assumption] });
  });

  test("names A10 when a job that expires is not found any more, and all others beside it", async () => {
    const forgetful = { expiry: "not-found" } as const;
    const { differing } = await record([], forgetful);
    expect(differing).toEqual({ A10: "an expired job is a 404; 1 of 1 answer" });
    const all = await record(Object.values(turned), forgetful);
    expect(Object.keys(all.differing).sort()).toEqual([...Object.keys(turned), "A10"].sort());
  });
});
