import { createManualClock, type MockService, type MockServiceOptions } from "../../mocks/index.ts";
import { createAsk } from "../mocks/ask.ts";

/** A service with what is in it when its page is opened. */
export interface Filled {
  readonly service?: MockServiceOptions;
  readonly prepare?: (service: MockService) => unknown;
}

/** Jobs take 10 seconds to start and a minute to finish, of a clock that stands still. */
export const timedJobs = (): MockServiceOptions => ({
  timeline: { queuedMs: 10_000, processingMs: 60_000 },
  clock: createManualClock(),
});

/** Sends one call of the API to the service, as a client would, and gives its data. */
export const call = async (
  service: MockService,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
) => (await createAsk(service, key, "http://127.0.0.1")(method, path, body)).data;

/** Submits a job, and gives its id. */
export const submit = async (service: MockService, body: object, key?: string): Promise<string> =>
  (await call(service, "POST", "/v1/jobs", body, key)).job_id;

/** Lists the brands, submits a job that is refused, and asks for an unknown path, `rounds` times. */
export const makeTraffic = async (service: MockService, rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    await call(service, "GET", "/v1/brands");
    await call(service, "POST", "/v1/jobs", { action: "nothing" });
    await call(service, "GET", "/v1/nowhere");
  }
};

/** Makes jobs of three accounts in every state, requests that fail, and schedules a fault and an end. */
const fill = async (service: MockService): Promise<void> => {
  const brand = await call(service, "POST", "/v1/brands", { name: "Zebra" }, "test-b");
  for (let count = 0; count < 9; count += 1) {
    const action = count % 2 ? "generate-ad" : "generate-ad-copy";
    const key = ["test-a", "test-b", "test-c"][count % 3] ?? "";
    const id = await submit(service, { action, prompt: `Coat ${count}` }, key);
    if (count === 3) service.jobs.fail(id, "Refused by moderation");
    if (count < 3) service.jobs.complete(id);
    service.clock.advance(2_000);
  }
  const images = ["https://a.example/1.png", "https://a.example/2.png"];
  const special = { action: "image-a-2", prompt: "A lighthouse at night", variations: 5, images };
  service.jobs.complete(await submit(service, { ...special, brand_id: brand.id }, "test-b"));
  await makeTraffic(service, 1);
  const fault = { kind: "latency", ms: { min: 1, max: 2 } } as const;
  service.faults.play(fault, { times: Number.POSITIVE_INFINITY, account: "test-b" });
  service.jobs.next({ fail: "moderation" }, { after: 2, action: "copy-ad" });
};

/** Options of a busy service, and what fills it. */
export const busy: Filled = {
  service: { ...timedJobs(), accounts: { "test-a": {}, "test-b": {}, "test-c": {} } },
  prepare: fill,
};
