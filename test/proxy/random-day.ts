import { AsyncLocalStorage } from "node:async_hooks";
import { markAsNotSent } from "../../src/client/index.ts";
import { type AdGenProxy, createProxy } from "../../src/proxy/index.ts";
import { createMapStore } from "../submissions/store-promises.ts";
import type { VirtualTime } from "../submissions/virtual-world.ts";
import { createServiceState, envelopeOf } from "./fake-service.ts";
import { type Meet, watchStore } from "./proxy-under-test.ts";
import type { Day, Step } from "./random-days.ts";

/** Limits of each owner, in windows of two lengths. */
export const limit = { jobs: 3, imageCredits: 6 };
const limits = { month: { jobs: limit.jobs }, day: { imageCredits: limit.imageCredits } };

/** One request, and the answer that its page got. */
export interface Played {
  readonly step: Step;
  readonly index: number;
  /** Names the owner, the call id and the request. */
  readonly mark: string;
  readonly startedAt: number;
  /** Process that answers the page. */
  readonly process: 0 | 1;
  answeredAt?: number;
  answer?: {
    readonly status: number;
    readonly outcome: string | null;
    readonly headers: string;
    readonly body: string;
  };
}

/** One charge or change of the service, and the request that caused it. */
export interface PlayedOperation {
  readonly mark: string;
  /** Marks of the brand or the ad that the operation concerns. */
  readonly about?: string;
  readonly by: number | undefined;
  readonly at: number;
}

const never = new Promise<never>(() => {});

/** Returns the method, the path and the body of a step, by its kind. */
const requestOf: Record<string, (step: Step, mark: string) => [string, string, object?]> = {
  submit: ({ body: variations }, prompt) => {
    return ["POST", "/v1/jobs", { action: "generate-ad", prompt, variations }];
  },
  brand: (_, name) => ["POST", "/v1/brands", { name }],
  ad: ({ target }, name) => ["POST", "/v1/saved-ads", { name, brand_id: `brand-${target}` }],
  job: ({ target }) => ["GET", `/v1/jobs/job-${target}`],
  jobs: () => ["GET", "/v1/jobs"],
  brands: () => ["GET", "/v1/brands"],
  ads: ({ target }) => ["GET", `/v1/brands/brand-${target}/ads`],
  change: ({ target }, name) => ["PATCH", `/v1/brands/brand-${target}`, { name }],
  "delete brand": ({ target }) => ["DELETE", `/v1/brands/brand-${target}`],
  "delete ad": ({ target }) => ["DELETE", `/v1/saved-ads/ad-${target}`],
};

/** Plays a day on two processes that share a store, and returns what has happened. */
export const playDay = async (day: Day, time: VirtualTime) => {
  const state = createServiceState();
  const { store } = createMapStore();
  const current = new AsyncLocalStorage<number>();
  const charges: PlayedOperation[] = [];
  const changes: PlayedOperation[] = [];
  const played: Played[] = [];
  /** Marks of the submissions that were sent and not refused, which count for the limits. */
  const kept: string[] = [];
  let isOver = false;
  let storeSteps = 0;
  let requests = 0;

  const carryOut = (method: string, url: string, body: string): Response => {
    const before = state.charges.length;
    const { things } = state;
    const id = body === "" ? undefined : JSON.parse(body).brand_id;
    const named = id ?? url.split("/").at(-1) ?? "";
    const about = String((things.brands.get(named) ?? things.ads.get(named))?.["name"] ?? "");
    const answer = state.handle(method, url, body);
    const by = current.getStore();
    const operation = { about, by, at: time.now() };
    const isChange = ["PATCH", "DELETE"].includes(method) && answer.error === null;
    const mark = played.find(({ index }) => index === by)?.mark ?? "";
    if (isChange) changes.push({ mark, ...operation });
    const made = state.charges.slice(before);
    charges.push(...made.map(({ mark }) => ({ mark: String(mark), ...operation })));
    const headers = { "x-request-id": `request-${requests}`, "retry-after": "3" };
    return new Response(envelopeOf(answer), { status: answer.status, headers });
  };

  const serve = async (request: Request): Promise<Response> => {
    const fault = isOver ? "none" : (day.service[requests++ % day.service.length] ?? "none");
    const body = await request.text();
    const isRefused = ["400", "402", "404", "429", "nobody there"].includes(fault);
    if (request.method === "POST" && request.url.endsWith("/jobs") && !isRefused) {
      kept.push(JSON.parse(body).prompt);
    }
    await time.wait(fault === "late" ? 400 : 10);
    const fail = (status: number) =>
      Response.json({ success: false, data: null, error: "no" }, { status });
    if (fault === "nobody there") throw markAsNotSent(new Error("refused"));
    if (fault === "lost before") throw new TypeError("fetch failed");
    if (/^\d+( before)?$/.test(fault)) return fail(Number.parseInt(fault, 10));
    const answer = carryOut(request.method, request.url, body);
    await time.wait(10);
    if (fault === "500 after") return fail(500);
    if (fault === "lost after") throw new TypeError("fetch failed");
    if (fault === "silence after") return never;
    if (fault === "HTML after") return new Response("<html>");
    if (fault === "redirect after") return new Response("", { status: 302 });
    return answer;
  };

  const meetStore: Meet = async ({ go }) => {
    const fault = isOver ? "none" : (day.store[storeSteps++ % day.store.length] ?? "none");
    if (fault === "throws") throw new Error("redis at 10.0.0.7 is gone");
    if (fault === "slow") await time.wait(60);
    if (fault === "late") await time.wait(150);
    const value = await go();
    if (fault === "throws when done") throw new Error("lost");
    return value;
  };

  let limitReads = 0;
  const limitsOf = async () => {
    const fault = isOver ? "none" : (day.limits[limitReads++ % day.limits.length] ?? "none");
    if (fault === "throws") throw new Error("the plans at 10.0.0.7 are gone");
    if (fault === "slow") await time.wait(60);
    if (fault === "late") await time.wait(15_000);
    return limits;
  };

  const beganAt = time.now();
  const isSignedIn = (): boolean =>
    isOver || time.now() - beganAt < (day.signedOutAt ?? Number.POSITIVE_INFINITY);

  const openProcess = () => {
    let isDead = false;
    const whileAlive = async <T>(run: () => Promise<T>): Promise<T> => {
      if (isDead) return never;
      const value = await run();
      return isDead ? never : value;
    };
    const proxy = createProxy({
      baseUrl: "http://service.test",
      apiKey: "test-key",
      authorize: ({ headers }) => isSignedIn() && headers.get("x-owner"),
      store: watchStore(store, (call) => whileAlive(async () => meetStore(call))),
      limits: limitsOf,
      hooks: { onError: () => {} }, // failures are meant, and must not be printed
      timeoutMs: 500,
      storeTimeoutMs: 100,
      fetch: (request) => whileAlive(() => serve(request)),
    });
    const die = (): void => {
      isDead = true;
    };
    return { proxy, die, isDead: () => isDead };
  };

  const processes = [openProcess(), openProcess()] as const;

  const play = async (step: Step, index: number): Promise<void> => {
    const call = step.callId > 0 ? `call-${step.callId}` : `lone-${index}`;
    const more = ["ad", "change", "delete brand", "delete ad"].includes(step.what);
    const mark = `${step.owner}|${call}|${step.what}|${step.body}${more ? `|${step.target}` : ""}`;
    // Without a call id, a repeat is another call.
    const repeat = step.callId > 0 ? step.repeat : undefined;
    const process = repeat?.process ?? step.process;
    const one: Played = { step, index, mark, startedAt: time.now(), process };
    played.push(one);
    const [method = "", path, body] = requestOf[step.what]?.(step, mark) ?? [];
    const page = new AbortController();
    if (step.leavesAfter !== undefined) void time.wait(step.leavesAfter).then(() => page.abort());
    const send = async (to: 0 | 1): Promise<Response> => {
      const { proxy } = processes[to].isDead() ? processes[1] : processes[to];
      const request = new Request(`http://page.test/adgen${path}`, {
        ...{ method, signal: page.signal, ...(body && { body: JSON.stringify(body) }) },
        headers: {
          "x-owner": step.owner,
          ...(body && { "content-type": "application/json" }),
          ...(step.callId > 0 && { "idempotency-key": call }),
        },
      });
      return current.run(index, () => proxy(request));
    };
    if (repeat !== undefined) {
      void send(step.process);
      await time.wait(repeat.after);
    }
    const wasDead = processes[process].isDead();
    const response = await send(process);
    if (!wasDead && processes[process].isDead()) return;
    const { status, headers } = response;
    one.answer = {
      ...{ status, outcome: headers.get("adgen-outcome") },
      ...{ headers: JSON.stringify([...headers]), body: await response.text() },
    };
    one.answeredAt = time.now();
  };

  const isSettled = (): boolean =>
    played.every(({ process, answer }) => answer !== undefined || processes[process].isDead());

  let started = 0;
  day.steps.forEach((step, index) => {
    void time.wait(step.at).then(() => {
      started++;
      return play(step, index);
    });
  });
  // No process dies once the day is over: its jobs may have no owner on record yet.
  const die = (): void => (isOver ? undefined : processes[0].die());
  if (day.deathAt !== undefined) void time.wait(day.deathAt).then(die);
  await time.runUntil(() => started === day.steps.length && isSettled(), 120_000);

  /** Asks the living process after the faults have ended. */
  const audit = async <T>(question: (proxy: AdGenProxy) => Promise<T>): Promise<T> => {
    isOver = true;
    let isAnswered = false;
    const answer = time.wait(20_000).then(() => question(processes[1].proxy));
    void answer.finally(() => {
      isAnswered = true;
    });
    await time.runUntil(() => isAnswered, 60_000);
    return answer;
  };

  return { played, charges, changes, kept, audit, hasDied: processes[0].isDead };
};

export type PlayedDay = Awaited<ReturnType<typeof playDay>>;
