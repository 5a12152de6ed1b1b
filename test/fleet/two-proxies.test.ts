import { type AdGenProxy, createProxy } from "adgen-sdk/proxy";
import { expect, onTestFinished, test } from "vitest";
import { queued, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { until } from "./fleet.ts";
import { openStore } from "./open-store.ts";
import { startRedis } from "./redis-server.ts";

/** Sends a request of ann's page, with its body where it is a submission. */
const ask = async (proxy: AdGenProxy, path: string, callId = "", owner = "ann") => {
  const headers = { "content-type": "application/json", "idempotency-key": callId };
  const body = JSON.stringify({ action: "generate-ad", prompt: "Sale" });
  const init = callId === "" ? { headers: {} } : { method: "POST", headers, body };
  const request = new Request(`https://app.test/adgen/v1/${path}`, init);
  request.headers.set("x-owner", owner);
  const response = await proxy(request);
  const outcome = response.headers.get("adgen-outcome") ?? undefined;
  return { status: response.status, outcome, body: await response.text() };
};
const submit = (proxy: AdGenProxy, callId: string) => ask(proxy, "jobs", callId);

test("two proxies answer 503 while their Redis is away, and charge nothing twice", async () => {
  /** Ids of the jobs that were made and paid: at once, but the answer to the second waits. */
  const charged: string[] = [];
  const { promise: isAnswered, resolve: answerIt } = Promise.withResolvers<void>();
  const answer: Answer = async (response, request) => {
    if (request.method === "GET") {
      return success({ job_id: "job-2", status: "processing" })(response, request);
    }
    const made = `job-${charged.length + 1}`;
    charged.push(made);
    if (made === "job-2") await isAnswered;
    return queued(made)(response, request);
  };
  const [redis, service] = [await startRedis(), await listen(answer)];
  onTestFinished(redis.close);
  const openProxy = async (): Promise<AdGenProxy> => {
    const { store, ready, close } = openStore(redis.port);
    onTestFinished(close);
    await ready;
    return createProxy({
      ...{ baseUrl: service.url, apiKey: "test-key", storeTimeoutMs: 20_000, store },
      hooks: { onError: () => {} }, // failures are meant, and must not be printed
      authorize: ({ headers }) => headers.get("x-owner"),
    });
  };
  const [one, other] = [await openProxy(), await openProxy()];
  await submit(other, "call-0");
  const first = submit(one, "call-1");
  await until(() => expect(charged).toHaveLength(2));
  const waiting = submit(other, "call-1");
  // It begins to wait for the answer.
  await pause(30);
  const isDown = Promise.withResolvers<void>();
  const back = redis.crash(isDown.promise);

  expect(await waiting).toMatchObject({ status: 503, outcome: "unknown" });
  for (const proxy of [one, other]) {
    // Without its memory the proxy cannot know that this is no repeat.
    expect(await submit(proxy, "call-2")).toMatchObject({ status: 503, outcome: "unknown" });
    expect(await ask(proxy, "jobs/job-1")).toMatchObject({ status: 503 });
    expect(await ask(proxy, "jobs")).toMatchObject({ status: 503 });
  }
  expect(await submit(other, "call-1")).toMatchObject({ status: 503 });
  answerIt();
  // The page gets the answer that was paid, though it could not be written.
  expect(await first).toMatchObject({ status: 202, body: expect.stringContaining("job-2") });
  expect(await submit(one, "call-1")).toEqual(await first);
  // The store may know another owner of that job.
  expect(await ask(one, "jobs/job-2")).toMatchObject({ status: 503 });

  isDown.resolve();
  await back;
  await until(async () => {
    expect(await submit(other, "call-1")).toEqual(await first);
    for (const proxy of [one, other]) {
      expect(await ask(proxy, "jobs/job-2")).toMatchObject({ status: 200 });
    }
  });
  expect(charged).toHaveLength(2);
  expect(await ask(other, "jobs/job-2", "", "bob")).toMatchObject({ status: 404 });
  await until(async () => expect(await submit(one, "call-2")).toMatchObject({ status: 202 }));
  expect(charged).toHaveLength(3);
});
