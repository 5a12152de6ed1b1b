import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import type { ClientOptions, JobRequest } from "../../src/client/index.ts";
import {
  createMemoryStore,
  createSubmissions,
  type SubmissionsOptions,
  type UsageLimits,
} from "../../src/submissions/index.ts";
import { failure, queued, resetConnection } from "../helpers/answers.ts";
import { clientOf, posts, rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { runNode } from "../helpers/run-node.ts";
import { bundleChild } from "./killed-processes.ts";

afterEach(() => {
  vi.useRealTimers();
});

const pictures = (variations: number) =>
  ({ action: "generate-ad", prompt: "Summer", variations }) as const;

const start = async (budget: UsageLimits, ...answers: Answer[]) => {
  let made = 0;
  const server = await listen(...answers, (response, request) => {
    queued(`job-${++made}`)(response, request);
  });
  const store = createMemoryStore();
  /** Opens the store again, as a second run of the program does. */
  const open = (options?: SubmissionsOptions, client?: ClientOptions) => {
    const submissions = createSubmissions(store, { budget, ...options });
    return { submissions, jobs: clientOf(server, { submissions, ...client }).jobs };
  };
  return { server, store, open, ...open() };
};

test("four processes on one file spend exactly their budget of 200 credits", async () => {
  let spent = 0;
  const server = await listen((response, request) => {
    spent += JSON.parse(request.body).variations;
    queued(`job-${spent}`)(response, request);
  });
  const program = pathToFileURL(await bundleChild("submissions/children/spend-budget"));
  const run = (name: string) =>
    runNode(program, [`${fileURLToPath(program)}.store`, server.url, name]);
  const ended = await Promise.all(["a", "b", "c", "d"].map(run));
  for (const { code, errors, lines } of ended) {
    expect([code, errors]).toEqual([0, ""]);
    expect(lines).toEqual(Array(3).fill("payment_required not-sent"));
  }
  expect(spent).toBe(200);
  // A later run finds the budget spent.
  expect((await run("e")).lines).toEqual(Array(3).fill("payment_required not-sent"));
  expect(spent).toBe(200);
});

test("a job beyond the budget is refused before it is sent, and the error says by which limit", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 30, 23, 59) });
  const { server, jobs, open } = await start({
    day: { imageCredits: 5 },
    month: { imageCredits: 7 },
  });
  await jobs.submit(pictures(4), { once: "a" });
  expect(await rejection(open().jobs.submit(pictures(2), { once: "b" }))).toMatchObject({
    name: "PaymentRequiredError",
    code: "payment_required",
    outcome: "not-sent",
    retryAfterMs: 60_000,
    limit: {
      kind: "imageCredits",
      limit: 5,
      windowMs: 86_400_000,
      endsAt: Date.UTC(2026, 0, 31),
    },
    message: expect.stringContaining(
      "the budget of 5 image credits in a day does not suffice for this job, which takes 2. " +
        "Nothing was sent: raise budget.day.imageCredits, or wait until 2026-01-31T00:00:00.000Z",
    ),
  });
  // A job that one limit refuses is not counted by the other limit.
  await jobs.submit(pictures(1), { once: "c" });
  vi.setSystemTime(Date.UTC(2026, 0, 31, 0, 0, 1));
  const monthly = await rejection(jobs.submit(pictures(3), { once: "d" }));
  expect(monthly).toMatchObject({ limit: { limit: 7, endsAt: Date.UTC(2026, 1, 1) } });
  await jobs.submit(pictures(2), { once: "b" });
  vi.setSystemTime(Date.UTC(2026, 1, 1, 0, 0, 1));
  await jobs.submit(pictures(3), { once: "d" });
  expect(posts(server)).toBe(4);
});

test("a job that takes more than the whole budget is refused without a time to wait", async () => {
  const { jobs } = await start({ day: { imageCredits: 5 } });
  const error = await rejection(jobs.submit(pictures(6), { once: "a" }));
  expect(error).toMatchObject({ code: "payment_required", limit: { limit: 5 } });
  expect(error).not.toHaveProperty("retryAfterMs");
  expect(error.message).toContain("raise budget.day.imageCredits, or ask for less");
});

const nowhere = { baseUrl: "http://127.0.0.1:9" };

test.each<[end: string, answer: Answer, client: ClientOptions, left: number]>([
  ["that the service refuses is given back to the budget", failure(402), {}, 4],
  ["that was never sent is given back to the budget", queued("job-0"), nowhere, 4],
  ["of unknown outcome stays counted in the budget", resetConnection, {}, 2],
])("a job %s", async (_, answer, options, left) => {
  const { open, jobs, submissions } = await start({ day: { imageCredits: 4 } }, answer);
  await rejection(open({}, { maxRetries: 0, ...options }).jobs.submit(pictures(2), { once: "a" }));
  await rejection(jobs.submit(pictures(5)));
  const isFree = left === 4;
  expect(await submissions.find("a")).toMatchObject({ state: isFree ? "free" : "in-doubt" });
  if (isFree) await jobs.submit(pictures(2), { once: "a" });
  await jobs.submit(pictures(2), { once: "b" });
  expect(await rejection(jobs.submit(pictures(1)))).toMatchObject({ code: "payment_required" });
});

test("a repeated id and a new brand take nothing from a budget", async () => {
  const { server, open, jobs, submissions } = await start({ day: { jobs: 1 } });
  const once = "a";
  for (const one of [jobs, open().jobs, jobs]) {
    expect(await one.submit(pictures(2), { once })).toMatchObject({ job_id: "job-1" });
  }
  const { brands } = clientOf(server, { submissions });
  await brands.create({ name: "Summer" }, { once: "brand" }).catch(() => {});
  expect(await rejection(jobs.submit({ action: "generate-ad-copy" }))).toMatchObject({
    limit: { kind: "jobs", limit: 1 },
  });
  expect(posts(server)).toBe(2);
});

test.each<[request: object, limit: keyof NonNullable<UsageLimits["day"]>, part: string]>([
  [{ action: "video-a-2" }, "videoSeconds", "duration is missing"],
  [{ action: "video-a-2", duration: Number.MAX_VALUE }, "jobs", "duration must be a number of"],
  [{ action: "generate-ad", variations: 0 }, "jobs", "variations must be a whole number from 1"],
  [{ action: "image-z" }, "imageCredits", 'the price of the action "image-z" is unknown'],
])("a budget refuses the request %j, because it cannot count %s", async (request, limit, part) => {
  const { server, jobs, submissions } = await start({ month: { [limit]: 1_000 } });
  for (const options of [{}, { once: "a" }]) {
    expect(await rejection(jobs.submit(request as JobRequest, options))).toMatchObject({
      code: "invalid_request",
      outcome: "not-sent",
      message: expect.stringContaining(part),
    });
  }
  expect(await submissions.find("a")).toEqual({ state: "free" });
  expect(posts(server)).toBe(0);
});

test("nothing is sent while the store cannot count the budget, with an id or without", async () => {
  const { server, store, jobs, submissions } = await start({ day: { jobs: 5 } });
  const { swap } = store;
  store.swap = async (id, ...rest) => {
    if (id.startsWith("budget:")) throw new Error("disk full");
    return swap(id, ...rest);
  };
  for (const options of [{}, { once: "a" }]) {
    expect(await rejection(jobs.submit(pictures(1), options))).toMatchObject({
      code: "store",
      outcome: "not-sent",
      message: expect.stringContaining("disk full"),
    });
  }
  expect(await submissions.find("a")).toEqual({ state: "free" });
  expect(posts(server)).toBe(0);
});

test.each<[budget: unknown, part: string]>([
  [{ week: { jobs: 1 } }, '"week"'],
  [{ day: { credits: 1 } }, '"credits"; did you mean imageCredits?'],
  [{ day: { jobs: -1 } }, "budget.day.jobs must be a whole number"],
  [200, "budget takes an object"],
])("createSubmissions refuses the budget %j", (budget, part) => {
  expect(() => createSubmissions(createMemoryStore(), { budget } as SubmissionsOptions)).toThrow(
    part,
  );
});

test.each([
  { end: "an abort", code: "aborted", once: undefined },
  { end: "an abort", code: "aborted", once: "order-7" },
  { end: "a timeout", code: "timeout", once: undefined },
  { end: "a timeout", code: "timeout", once: "order-7" },
])(
  "$end while the budget is counted rejects with $code, and gives the budget back (with the id $once)",
  async ({ code, once }) => {
    const { server, store, jobs } = await start({ day: { jobs: 1 } });
    const { swap } = store;
    store.swap = async (id, ...rest) => {
      const found = await swap(id, ...rest);
      if (id.startsWith("budget")) await sleep(100);
      return found;
    };
    const options = once === undefined ? {} : { once };
    const signal = AbortSignal.timeout(20);
    const bound = code === "aborted" ? { signal } : { totalTimeoutMs: 50 };
    const error = await rejection(jobs.submit(pictures(1), { ...options, ...bound }));
    expect(error).toMatchObject({ code, outcome: "not-sent" });
    if (code === "aborted") expect(error.cause).toBe(signal.reason);
    store.swap = swap;
    await vi.waitFor(() => jobs.submit(pictures(1), options));
    expect(posts(server)).toBe(1);
  },
);
