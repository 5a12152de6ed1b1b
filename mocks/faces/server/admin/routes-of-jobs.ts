import * as z from "zod/mini";
import { isFinished, jobStatuses } from "../../../../src/contract/jobs.ts";
import { apiKey, fieldsOnly, oneOf, shallowJson, text } from "../../../options/fields.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { endedJob, ownedJobs } from "./answers.ts";
import { requireAccount } from "./find-account.ts";
import { listOwnedJobs } from "./job-list.ts";
import { refuse, refuseAs } from "./refuse.ts";
import { noFields, plannedOutcome, wholeText } from "./requests.ts";
import { type AdminRoute, defineRoute } from "./route.ts";

const ofJob = z.object({ id: text.check(z.describe("Identifier of the job.")) });

const listedAtMost = 1000;
const listedUsually = 100;

const otherAnswers = { 409: "The job has finished already." };

/** Ends a job that has not finished, in one of the three ways. */
const endJob = (service: MockService, id: string, end: (id: string) => void) => {
  const job = service.jobs.find(id);
  if (job === undefined) throw refuse(404, `No job has the id "${id}"`);
  if (isFinished(job.status)) throw refuse(409, `The job has ${job.status} already`);
  end(job.job_id);
  return service.jobs.find(job.job_id) ?? null;
};

export const jobRoutes: readonly AdminRoute[] = [
  defineRoute("listJobs", "GET /__mock/jobs", {
    summary: `Lists the newest jobs, ${listedUsually} unless a limit is given`,
    input: {
      query: z.object({
        account: z.exactOptional(apiKey),
        status: z.exactOptional(oneOf(jobStatuses)),
        limit: z.exactOptional(wholeText(listedAtMost)),
      }),
    },
    answer: ownedJobs,
    run: ({ service, query: { limit = listedUsually, ...choice } }) => {
      requireAccount(service, choice.account);
      return { jobs: listOwnedJobs(service, { ...choice, limit }) };
    },
  }),
  defineRoute("planJobs", "POST /__mock/jobs/next", {
    summary: "Decides how the next jobs end",
    input: { body: plannedOutcome },
    answer: z.object({ planned: z.boolean() }),
    run: ({ service, body }) => {
      const { account, action, times, ...outcome } = body;
      const { fail, result, takesMs, ...options } = body;
      requireAccount(service, account);
      refuseAs("outcome", () => service.jobs.next(outcome, options));
      return { planned: true };
    },
  }),
  defineRoute("completeJob", "POST /__mock/jobs/:id/complete", {
    summary: "Completes an unfinished job; the result is any JSON",
    input: { path: ofJob, body: fieldsOnly({ result: z.exactOptional(shallowJson) }) },
    answer: endedJob,
    otherAnswers,
    run: ({ service, path, body }) =>
      endJob(service, path.id, (id) =>
        refuseAs("result", () => service.jobs.complete(id, body.result)),
      ),
  }),
  defineRoute("failJob", "POST /__mock/jobs/:id/fail", {
    summary: "Makes an unfinished job fail",
    input: { path: ofJob, body: fieldsOnly({ reason: z.exactOptional(text) }) },
    answer: endedJob,
    otherAnswers,
    run: ({ service, path, body }) =>
      endJob(service, path.id, (id) =>
        refuseAs("reason", () => service.jobs.fail(id, body.reason)),
      ),
  }),
  defineRoute("expireJob", "POST /__mock/jobs/:id/expire", {
    summary: "Makes an unfinished job expire",
    input: { path: ofJob, body: noFields },
    answer: endedJob,
    otherAnswers,
    run: ({ service, path }) => endJob(service, path.id, (id) => service.jobs.expire(id)),
  }),
];
