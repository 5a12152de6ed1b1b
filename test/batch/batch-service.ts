import type { RequestResult, SubmitManyOptions } from "adgen-sdk";
import { type AdGenClient, type ClientOptions, type FinishedJob, submitMany } from "adgen-sdk";
import { expect, vi } from "vitest";
import { success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/** Accepts a submission. Its job may be polled at once. */
const accepted = (prompt: string): Answer =>
  success({ job_id: `job-${prompt}`, status: "queued" }, 202, { "retry-after": "0" });

const completed: Answer = success({ status: "completed", result: "made" });

export const unfinished: Answer = success({ status: "processing" }, 200, { "retry-after": "0" });

/** Answers in place of good ones, by the prompt of a submission or the id of a polled job. */
export interface Script {
  readonly answers?: Readonly<Record<string, Answer>>;
  /** Holds these answers until the test lets them go. */
  readonly isHeld?: (name: string) => boolean;
}

/** A service that makes jobs. A submission is known by its prompt, and its job is `job-<prompt>`. */
export const startBatch = async ({ answers = {}, isHeld = () => false }: Script = {}) => {
  const posted: string[] = [];
  const polls: string[] = [];
  const held = new Map<string, () => void>();
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = await listen((response, request) => {
    const isPost = request.method === "POST";
    const name: string = isPost ? JSON.parse(request.body).prompt : request.url.split("/").at(-1);
    (isPost ? posted : polls).push(name);
    if (isPost) {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      response.on("close", () => atOnce--);
    }
    const answer = answers[name] ?? (isPost ? accepted(name) : completed);
    if (isHeld(name)) held.set(name, () => answer(response, request));
    else answer(response, request);
  });
  const until = (check: () => void) => vi.waitFor(check, { interval: 2, timeout: 60_000 });
  return {
    client: clientOf(server),
    clientWith: (options: ClientOptions): AdGenClient => clientOf(server, options),
    /** Prompts of all submissions, in the order in which they arrived. */
    posted,
    /** Ids of the jobs that were polled. */
    polls,
    /** Largest number of submissions that were unanswered at once. */
    mostAtOnce: () => mostAtOnce,
    hasPosted: (times: number) => until(() => expect(posted).toHaveLength(times)),
    hasHeld: (name: string) => until(() => expect([...held.keys()]).toContain(name)),
    /** Lets one held answer go, or all. */
    release: (name?: string): void => {
      for (const [key, answer] of held) {
        if (name !== undefined && key !== name) continue;
        held.delete(key);
        answer();
      }
    },
  };
};

/** Requests with these prompts. */
export const adsOf = (...prompts: string[]) =>
  prompts.map((prompt) => ({ action: "generate-ad", prompt }) as const);

/** Requests with the prompts "0", "1" and so on. */
export const numberedAds = (count: number) =>
  adsOf(...Array.from({ length: count }, (_, i) => `${i}`));

/** Collects all results, in the order in which they come. */
export const collect = async <T>(results: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const result of results) all.push(result);
  return all;
};

/** Submits all, and gives the results in the order of the requests. */
export const submitAll = async (
  client: AdGenClient,
  requests: ReturnType<typeof adsOf>,
  options?: SubmitManyOptions,
): Promise<RequestResult<number, FinishedJob>[]> =>
  (await collect(submitMany(client, requests, options))).sort((a, b) => a.index - b.index) as never;
