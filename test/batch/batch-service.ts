import type { AdGenClient, ClientOptions } from "adgen-sdk";
import { expect, vi } from "vitest";
import { success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";

/** Answers one submission, or holds it. `isCharged` tells whether it makes a job. */
export interface PostAnswer {
  readonly answer: Answer;
  readonly isCharged: boolean;
}

export interface BatchService {
  readonly client: AdGenClient;
  readonly clientWith: (options: ClientOptions) => AdGenClient;
  /** Prompts of all submissions, in the order in which they arrived. */
  readonly posted: readonly string[];
  /** Prompts of the jobs that were made and charged. */
  readonly charged: readonly string[];
  /** Ids of the jobs that were polled. */
  readonly polls: readonly string[];
  /** Largest number of submissions that were unanswered at once. */
  readonly mostAtOnce: () => number;
  /** Resolves when there have been so many submissions. */
  readonly hasPosted: (times: number) => Promise<void>;
}

/** Accepts a submission. Its job may be polled at once. */
export const accepted = (prompt: string): Answer =>
  success({ job_id: `job-${prompt}`, status: "queued" }, 202, { "retry-after": "0" });

const completed: Answer = success({ status: "completed", result: "made" });

/** Scripts of a service: absent ones go well. */
export interface Script {
  readonly post?: (prompt: string) => PostAnswer | undefined;
  readonly poll?: (jobId: string, polls: number) => Answer | undefined;
}

/** A service that charges for each job. A submission is known by its prompt. */
export const startBatchService = async ({ post, poll }: Script = {}): Promise<BatchService> => {
  const posted: string[] = [];
  const charged: string[] = [];
  const polls: string[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;

  const answerPost = (response: Parameters<Answer>[0], request: Received): void => {
    const { prompt } = JSON.parse(request.body) as { prompt: string };
    posted.push(prompt);
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.on("close", () => atOnce--);
    const { answer, isCharged } = post?.(prompt) ?? { answer: accepted(prompt), isCharged: true };
    if (isCharged) charged.push(prompt);
    answer(response, request);
  };
  const server = await listen((response, request) => {
    if (request.method === "POST") return answerPost(response, request);
    const jobId = request.url.split("/").at(-1) ?? "";
    polls.push(jobId);
    const answer = poll?.(jobId, polls.filter((id) => id === jobId).length) ?? completed;
    answer(response, request);
  });
  return {
    client: clientOf(server),
    clientWith: (options) => clientOf(server, options),
    posted,
    charged,
    polls,
    mostAtOnce: () => mostAtOnce,
    hasPosted: (times) =>
      vi.waitFor(() => expect(posted).toHaveLength(times), { interval: 2, timeout: 60_000 }),
  };
};

/** Holds answers until the test lets them go. */
export const createHolds = () => {
  const held = new Map<string, () => void>();
  return {
    hold:
      (name: string, answer: Answer): Answer =>
      (response, request) =>
        held.set(name, () => answer(response, request)),
    isHeld: (name: string) => held.has(name),
    /** Lets one answer go, or all. */
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
  adsOf(...Array.from({ length: count }, (_, index) => String(index)));

/** Collects all results, in the order in which they come. */
export const collect = async <T>(results: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const result of results) all.push(result);
  return all;
};
