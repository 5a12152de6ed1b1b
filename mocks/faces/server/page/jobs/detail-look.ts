import type { MockService } from "../../../../service/mock-service.ts";
import { showJob } from "./show-job.ts";

/** Requests about one job that its page lists: the newest. */
const mostRequests = 30;

/** Characters of JSON on the page; the admin gives all of it. */
const longestJson = 20_000;

const write = (value: unknown): string => {
  const text = JSON.stringify(value, undefined, 2) ?? "";
  return text.length > longestJson ? `${text.slice(0, longestJson)}…` : text;
};

/** Reads all about one job; `undefined` when there is none with this id. */
export const lookAtJob = (service: MockService, id: string) => {
  const detail = service.jobs.inspect(id);
  if (detail === undefined) return undefined;
  const { request, cost, submittedAt, startedAt, finishedAt, polls, job } = detail;
  const { prompt } = request;
  const requests = service.journal.find({ job: id });
  return {
    card: showJob(detail),
    prompt: typeof prompt === "string" ? prompt : undefined,
    error: job.error?.slice(0, longestJson),
    request,
    requestJson: write(request),
    jobJson: write(job),
    cost,
    times: { submittedAt, startedAt, finishedAt },
    polls,
    requests: {
      total: requests.length,
      items: requests
        .slice(-mostRequests)
        .reverse()
        .map(({ number, at, method, path, answer }) => ({
          number,
          at,
          method,
          path: path.slice(0, 300),
          status: answer?.status,
        })),
    },
  };
};

/** One job as its own page shows it. */
export type JobLook = NonNullable<ReturnType<typeof lookAtJob>>;
