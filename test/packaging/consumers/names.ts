/**
 * A user's own library, compiled with `declaration: true`. It exports what our functions return,
 * without annotations, so the compiler must find a name for each type.
 */
import {
  type AnyAdGenError,
  createClient,
  createPollTicket,
  findLostJobs,
  isAdGenError,
  markAsNotSent,
  pollJob,
  pollJobs,
  pollOnce,
  submitMany,
  toResult,
  watchJob,
  watchJobs,
} from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { openFile, saveFiles, toDataUrl } from "adgen-sdk/files";
import { createManualClock, createMockService, refuseNetwork } from "adgen-sdk/mocks";
import { setupMockWorker } from "adgen-sdk/mocks/browser";
import { connectMock } from "adgen-sdk/mocks/connect";
import { createHandlers } from "adgen-sdk/mocks/msw";
import { setupMockServer } from "adgen-sdk/mocks/node";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createProxy } from "adgen-sdk/proxy";
import {
  createMemoryStore,
  createRedisStore,
  createSubmissions,
  recoverJobs,
} from "adgen-sdk/submissions";
import { openFileStore } from "adgen-sdk/submissions/file";

export const plain = createClient();
export const client = createClient({ schemas: assumedSchemas });
export const { jobs, brands, savedAds } = client;
export const submit = () => jobs.submit({ action: "generate-ad" });
export const get = async () => jobs.get(await submit());
export const listed = () => jobs.list({ limit: 5 });
export const submitAndPoll = () => jobs.submitAndPoll({ action: "video-a-2" });
export const library = {
  list: () => brands.list(),
  create: () => brands.create({ name: "Acme" }),
  plain: () => plain.brands.create({ name: "Acme" }),
  listAds: () => plain.brands.listAds("brand_1"),
  save: () => savedAds.create({ brand_id: "brand_1" }),
  remove: () => brands.delete("brand_1"),
};

export const finished = async () => pollJob(client, await submit());
/** Most helpers end with the job that has completed. */
export const completed = async () => {
  const job = await finished();
  if (job.status === "failed") throw new Error(job.error);
  return job;
};
export const failed = async () => {
  const job = await finished();
  return job.status === "failed" ? job : undefined;
};
export const unfinished = async () => {
  const job = await plain.jobs.get("job_1");
  return job.status === "completed" || job.status === "failed" ? undefined : job;
};
export const many = () => pollJobs(client, ["job_1"]);
export const ticket = createPollTicket("job_1", { timeoutMs: 5 });
export const polled = () => pollOnce(client, ticket);
export const watch = watchJob(client, "job_1");
export const { progress } = watch;
export const watchAll = watchJobs(client, ["job_1"]);
export const batch = submitMany(client, [{ action: "generate-ad" }, { action: "video-a-2" }]);
export const result = toResult(submit());
export const caught = (error: unknown) => (isAdGenError(error) ? error : undefined);
export const undecided = (error: AnyAdGenError) =>
  error.code === "in_doubt" ? error.doubt : { reason: error.outcome, limit: error.status };
export const marked = markAsNotSent(new Error("offline"));
export const lost = (error: unknown) => findLostJobs(client, error);
export const recovered = () => recoverJobs(client);

export const files = [saveFiles, openFile, toDataUrl];
export const saved = async () => saveFiles(await completed(), "ads");
export const opened = () => openFile("https://api.example.com/1.png");
export const picture = () => toDataUrl(new Blob());

export const store = createMemoryStore();
export const redis = createRedisStore(async () => null);
export const file = () => openFileStore("submissions");
export const submissions = createSubmissions(store);
export const order = () => submissions.find("order-17");
export const open = () => submissions.listOpen();
export const stored = () => store.get("order-17");
export const proxy = createProxy({ allowAnyone: true, store });
export const usage = () => proxy.usage("ann");

export const service = createMockService();
export const clock = createManualClock();
export const account = service.account("test-key");
export const { jobs: steered, faults, journal } = service;
export const scheduled = faults.play({ kind: "reset" });
export const entries = journal.entries.slice(-1);
export const { charges, counts } = account;
export const { all } = steered;
export const { results } = assumedSchemas;
export const { priceOf } = service;
export const refused = refuseNetwork();
export const handlers = createHandlers(service);
export const setup = setupMockServer({ service });
export const worker = setupMockWorker();
export const server = () => startMockServer({ service });
export const connected = connectMock("http://127.0.0.1:4010");
export const connectedAccount = connected.account("test-key");
export const { addAccount } = connected;
