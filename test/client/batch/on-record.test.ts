// Batches whose requests have ids. A record's verdict on a request is no failure of the service.
import { expect, test, vi } from "vitest";
import { createStopRule } from "../../../src/client/batch/stop-rule.ts";
import { makeError } from "../../../src/client/errors/make-error.ts";
import { createClient, submitMany } from "../../../src/client/index.ts";
import { createMemoryStore, createSubmissions } from "../../../src/submissions/index.ts";
import { failure, resetConnection, success } from "../../helpers/answers.ts";
import { testKey } from "../../helpers/client.ts";
import { type Answer, listen } from "../../helpers/http-server.ts";

const accept = (row: number): Answer =>
  success({ job_id: `job-${row}`, status: "queued" }, 202, { "retry-after": "0" });

/** A service whose jobs are finished at once. */
const start = async (answerOf: (row: number) => Answer = accept) => {
  const posted: number[] = [];
  const state = { answerOf };
  const server = await listen((response, request) => {
    const { method, url, body } = request;
    if (method !== "POST") {
      const done = { job_id: url.split("/").at(-1), status: "completed" };
      return success(done)(response, request);
    }
    const row = Number(JSON.parse(body).prompt);
    posted.push(row);
    state.answerOf(row)(response, request);
  });
  const submissions = createSubmissions(createMemoryStore());
  const client = createClient({ baseUrl: server.url, apiKey: testKey, submissions });
  const run = async (...prompts: number[]): Promise<string[]> => {
    const requests = prompts.map((row) => ({ action: "generate-ad", prompt: `${row}` }) as const);
    const options = { once: ({ prompt }: { prompt?: unknown }) => `row-${prompt}`, concurrency: 1 };
    const ends: string[] = [];
    for await (const { index, ok, error } of submitMany(client, requests, options)) {
      ends[index] = ok ? "ok" : `${error.code} ${error.outcome}`;
    }
    return ends;
  };
  return { posted, submissions, client, state, run };
};

const lost = "connection unknown";
const inDoubt = "in_doubt unknown";

test("a batch that is run again gets past earlier submissions in doubt", async () => {
  const { posted, state, run } = await start(() => resetConnection);
  for (const row of [0, 2, 3, 4, 5]) expect(await run(row)).toEqual([lost]);
  posted.length = 0;
  state.answerOf = accept;
  expect(await run(0, 1, 2, 3, 4, 5, 6)).toEqual([
    ...[inDoubt, "ok", inDoubt, inDoubt, inDoubt, inDoubt, "ok"],
  ]);
  expect(posted).toEqual([1, 6]);
});

test("a batch gets past requests whose ids belong to other requests", async () => {
  const { posted, submissions, run } = await start();
  const call = { method: "jobs.submit", body: {}, timeoutMs: 60_000 };
  for (const row of [0, 1, 2, 3]) {
    void submissions.runOnce({ ...call, once: `row-${row}` }, () => new Promise(() => {}));
  }
  await vi.waitFor(async () => expect((await submissions.listOpen()).underWay).toHaveLength(4));
  const refused = "invalid_request not-sent";
  expect(await run(0, 1, 2, 3, 4)).toEqual([refused, refused, refused, refused, "ok"]);
  expect(posted).toEqual([4]);
});

test("neither a submission in doubt nor a recorded response ends the count of an outage", async () => {
  const { posted, state, run } = await start();
  expect(await run(0, 1)).toEqual(["ok", "ok"]);
  state.answerOf = () => resetConnection;
  expect(await run(2)).toEqual([lost]);
  posted.length = 0;
  const ends = await run(3, 0, 4, 1, 2, 5, 6);
  expect(ends).toEqual([lost, "ok", lost, "ok", inDoubt, lost, "connection not-sent"]);
  expect(posted).toEqual([3, 4, 5]);
});

test("a refused request shows that the service answers, so an outage is counted anew", async () => {
  const { posted, run } = await start((row) => (row === 2 ? failure(400) : resetConnection));
  expect(await run(0, 1, 2, 3, 4, 5, 6)).toEqual([
    ...[lost, lost, "bad_request refused", lost, lost, lost, "connection not-sent"],
  ]);
  expect(posted).toEqual([0, 1, 2, 3, 4, 5]);
});

test.each([
  ["invalid_request", "not-sent", false],
  ["in_doubt", "unknown", false],
  ["under_way", "unknown", false],
  ["payment_required", "not-sent", false], // of the caller's budget
  ["store", "unknown", true],
  ["config", "not-sent", true],
  ["connection", "not-sent", true],
  ["timeout", "unknown", true],
  ["server_error", "unknown", true],
  ["rate_limited", "refused", true],
] as const)("%s with the outcome %s, three times in a row, stops a batch: %s", (...row) => {
  const [code, outcome, stops] = row;
  const rule = createStopRule(3);
  const error = makeError(code, "no", { outcome });
  const last = [0, 1, 2].map((index) => rule.noteFailure(error, index)).at(-1);
  expect(last !== undefined).toBe(stops);
});

test.each<[way: string, call: (client: Awaited<ReturnType<typeof start>>["client"]) => unknown]>([
  ["jobs.submit", ({ jobs }) => jobs.submit({ action: "generate-ad" }, { once: undefined })],
  [
    "jobs.submitAndPoll",
    ({ jobs }) => jobs.submitAndPoll({ action: "generate-ad" }, { once: undefined }),
  ],
  ["brands.create", ({ brands }) => brands.create({ name: "A" }, { once: undefined })],
  ["savedAds.create", ({ savedAds }) => savedAds.create({ brand_id: "b" }, { once: undefined })],
  [
    "submitMany",
    async (client) => {
      const requests = [{ action: "generate-ad" } as const];
      for await (const { error } of submitMany(client, requests, { once: undefined })) throw error;
    },
  ],
])("%s refuses an explicit once: undefined, which would be paid at every run", async (_, call) => {
  const { posted, client } = await start();
  await expect(async () => call(client)).rejects.toMatchObject({
    code: "invalid_request",
    outcome: "not-sent",
    message: expect.stringContaining("once is undefined, so this call would have no id"),
  });
  expect(posted).toEqual([]);
});
