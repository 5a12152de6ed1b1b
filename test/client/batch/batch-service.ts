import { type AdGenClient, type JobRequest, type SubmitManyOptions, submitMany } from "adgen-sdk";
import {
  createFakedClient,
  type FakedOptions,
  type FakeRequest,
  type Poll,
  pollOf,
  type Step,
  success,
  watchPromise,
} from "../polling/scripted-client.ts";

/** Accepts a submission. Its job may be polled at once. */
export const accepted = (prompt: string): Step =>
  success({ job_id: `job-${prompt}`, status: "queued" }, 202, { "retry-after": "0" });

const completed = success({ status: "completed", result: "made" });

/**
 * Creates a service on the faked clock. The job of a submission is `job-<prompt>`. `answers` replace
 * good responses, by prompt or job id.
 */
export const startBatch = (
  answers: Readonly<Record<string, Step>> = {},
  options: FakedOptions = {},
) => {
  /** Prompts of all submissions, in the order in which they arrived. */
  const posted: string[] = [];
  /** Ids of the jobs that were polled. */
  const polls: string[] = [];
  const submit: Poll = async (request) => {
    const { prompt } = await request.json();
    posted.push(prompt);
    return pollOf(answers[prompt] ?? accepted(prompt))(request);
  };
  const answerTo = ({ isPost, id }: FakeRequest) => {
    if (isPost) return submit;
    polls.push(id);
    return answers[id] ?? completed;
  };
  return { ...createFakedClient(answerTo, options), posted, polls };
};

/** Requests with these prompts. */
export const adsOf = (...prompts: string[]) =>
  prompts.map((prompt) => ({ action: "generate-ad", prompt }) as const);

/** Requests with the prompts "0", "1" and so on. */
export const numberedAds = (count: number) =>
  adsOf(...Array.from({ length: count }, (_, i) => `${i}`));

/** Begins to submit all requests. `given` collects the results with their times. */
export const submitAll = (
  { client, now }: { readonly client: AdGenClient; readonly now: () => number },
  requests: readonly JobRequest[],
  options?: SubmitManyOptions,
) => {
  // biome-ignore lint/suspicious/noExplicitAny: tests look at every field
  const given: any[] = [];
  const submissions = submitMany(client, requests, options);
  const readAll = async () => {
    for await (const result of submissions) given.push({ at: now(), ...result });
  };
  return { submissions, given, settled: watchPromise(readAll(), now) };
};
