import { type AdGenProxy, createProxy, createRedisStore, type ProxyOptions } from "adgen-sdk/proxy";
import { Redis } from "ioredis";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { failure, queued, success } from "../helpers/answers.ts";
import { type Answer, type HttpServer, listen } from "../helpers/http-server.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let redis: RedisServer;
let service: HttpServer;
const clients: Redis[] = [];
/** Prefix of the test: a proxy of an earlier one may still write what Redis missed. */
let prefix = "";

/** Ids of the jobs that were made and paid. */
let charged: string[] = [];
/** Answers to the next submissions; they charge nothing. */
let refusals: Answer[] = [];
/** Jobs are made at once; their answers wait for this. */
let gate: Promise<unknown> = Promise.resolve();

const answer: Answer = async (response, request) => {
  if (request.method === "POST") {
    const refusal = refusals.shift();
    if (refusal !== undefined) return refusal(response, request);
    const id = `job-${charged.length + 1}`;
    charged.push(id);
    await gate;
    return queued(id)(response, request);
  }
  const id = request.url.split("/")[3];
  const jobs = charged.map((job_id) => ({ job_id, status: "processing" }));
  return success(id === undefined ? { jobs } : { job_id: id, status: "processing" })(
    response,
    request,
  );
};

const connect = async (): Promise<Redis> => {
  const client = new Redis({
    ...redis.connection,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 5,
    lazyConnect: true,
  });
  clients.push(client.on("error", () => {}));
  await client.connect();
  return client;
};

const openStore = async () => {
  const client = await connect();
  const send = (command: string, ...words: string[]) => client.call(command, ...words);
  return createRedisStore(send, { prefix, warnOfDurability: false });
};

const openProxy = async (options: Partial<ProxyOptions> = {}): Promise<AdGenProxy> =>
  createProxy({
    baseUrl: service.url,
    apiKey: "test-key",
    storeTimeoutMs: 20_000,
    hooks: { onError: () => {} }, // failures are meant, and must not be printed
    authorize: ({ headers }) => headers.get("x-owner"),
    store: await openStore(),
    ...options,
  });

beforeAll(async () => {
  redis = await startRedis();
  service = await listen(answer);
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await redis.close();
});
beforeEach(({ task }) => {
  prefix = `${task.id}:`;
  charged = [];
  refusals = [];
  gate = Promise.resolve();
});

/** An answer, byte for byte. */
const read = async (answered: Promise<Response>) => {
  const response = await answered;
  const { status, headers } = response;
  const outcome = headers.get("adgen-outcome") ?? undefined;
  return { status, outcome, headers: [...headers], body: await response.text() };
};

const get = (proxy: AdGenProxy, owner: string, path: string) =>
  read(proxy(new Request(`https://app.test/adgen/v1/${path}`, { headers: { "x-owner": owner } })));

const submit = (proxy: AdGenProxy, owner: string, callId: string, prompt = "Sale") =>
  read(
    proxy(
      new Request("https://app.test/adgen/v1/jobs", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": callId,
          "x-owner": owner,
        },
        body: JSON.stringify({ action: "generate-ad", prompt }),
      }),
    ),
  );

const openGate = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  return resolve;
};

/** Kills Redis; the function that it gives brings it back. */
const killRedis = (): (() => Promise<void>) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const down = redis.crash(promise);
  const comeBack = (): Promise<void> => {
    resolve();
    return down;
  };
  onTestFinished(comeBack);
  return comeBack;
};

const until = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });

describe("two proxies on one Redis", () => {
  test("answer 503 while Redis is away, and charge nothing twice", async () => {
    const [one, other] = [await openProxy(), await openProxy()];
    await submit(other, "ann", "call-0");
    const open = openGate();
    const first = submit(one, "ann", "call-1");
    await until(() => expect(charged).toHaveLength(2));
    const comeBack = killRedis();
    for (const proxy of [one, other]) {
      const fresh = await submit(proxy, "ann", "call-2");
      // Without its memory the proxy cannot know that this is no repeat.
      expect(fresh).toMatchObject({ status: 503, outcome: "unknown" });
      expect(await get(proxy, "ann", "jobs/job-1")).toMatchObject({ status: 503 });
      expect(await get(proxy, "ann", "jobs")).toMatchObject({ status: 503 });
    }
    expect(await submit(other, "ann", "call-1")).toMatchObject({ status: 503 });
    open();
    // The page gets the answer that was paid, though it could not be written.
    expect(await first).toMatchObject({ status: 202, body: expect.stringContaining("job-2") });
    expect(await submit(one, "ann", "call-1")).toEqual(await first);
    // The store may know another owner of that job.
    expect(await get(one, "ann", "jobs/job-2")).toMatchObject({ status: 503 });
    expect(charged).toHaveLength(2);

    await comeBack();
    await until(async () => {
      expect(await submit(other, "ann", "call-1")).toEqual(await first);
      expect(await get(one, "ann", "jobs/job-2")).toMatchObject({ status: 200 });
      expect(await get(other, "ann", "jobs/job-2")).toMatchObject({ status: 200 });
    });
    expect(charged).toHaveLength(2);
    expect(await get(other, "bob", "jobs/job-2")).toMatchObject({ status: 404 });
    const { data } = JSON.parse((await get(other, "ann", "jobs")).body);
    expect(data.jobs).toHaveLength(2);
    await until(async () => {
      expect(await submit(one, "ann", "call-2")).toMatchObject({ status: 202 });
    });
    expect(charged).toHaveLength(3);
  });

  test("send a call whose record Redis wrote too late, when it comes again", async () => {
    const [one, other] = [await openProxy({ storeTimeoutMs: 50 }), await openProxy()];
    await (await connect()).call("CLIENT", "PAUSE", "1500", "ALL");
    expect(await submit(one, "ann", "call-1")).toMatchObject({ status: 503, outcome: "unknown" });
    await until(async () => {
      expect(await submit(other, "ann", "call-1")).toMatchObject({ status: 202 });
    });
    expect(charged).toEqual(["job-1"]);
  });

  test("leave a call in doubt that waits for the other's answer when Redis goes", async () => {
    const [one, other] = [await openProxy(), await openProxy()];
    const open = openGate();
    const first = submit(one, "ann", "call-1");
    await until(() => expect(charged).toHaveLength(1));
    const repeat = submit(other, "ann", "call-1");
    // It begins to wait for the answer.
    await new Promise((resolve) => setTimeout(resolve, 30));
    killRedis();
    expect(await repeat).toMatchObject({ status: 503, outcome: "unknown" });
    open();
    expect(await first).toMatchObject({ status: 202 });
  });

  test("keep the record of an attempt from a write of the last one that comes late", async () => {
    const store = await openStore();
    let frees = 0;
    const { promise: isSentAgain, resolve: sentAgain } = Promise.withResolvers<void>();
    const lossy: typeof store = {
      ...store,
      async swap(id, expected, next) {
        if (next !== undefined) return store.swap(id, expected, next);
        if (frees > 0) await isSentAgain;
        await store.swap(id, expected, next);
        frees += 1;
        if (frees === 1) throw new Error("the answer was lost");
        return undefined;
      },
    };
    const [one, other] = [await openProxy({ store: lossy }), await openProxy()];
    refusals = [failure(429)];
    expect(await submit(one, "ann", "call-1")).toMatchObject({ status: 429 });
    const open = openGate();
    const second = submit(other, "ann", "call-1");
    await until(() => expect(charged).toHaveLength(1));
    // The first proxy frees again what it has freed.
    sentAgain();
    await until(() => expect(frees).toBe(2));
    const repeat = submit(one, "ann", "call-1");
    await new Promise((resolve) => setTimeout(resolve, 30));
    open();
    expect(await repeat).toEqual(await second);
    expect(charged).toEqual(["job-1"]);
  });
});
