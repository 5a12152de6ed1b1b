import * as z from "zod/mini";
import { actions } from "../../../../src/contract/actions.ts";
import { isFinished, jobStatuses } from "../../../../src/contract/jobs.ts";
import { action, fieldsOnly, oneOf, optional, shallowJson, text } from "../../../options/fields.ts";
import { jobSearchFields } from "../../../outcomes/job-search.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { noFields, wholeText } from "./read-input.ts";
import { refuse, refuseAs, requireAccount } from "./refuse.ts";
import { defineRoute } from "./route.ts";

const ofJob = z.object({ id: text.check(z.describe("Identifier of the job.")) });

const listedAtMost = 1000;
const listedUsually = 100;

/** One state, or several with commas between them. */
const statusesText = z.pipe(
  z.transform((value) => String(value).split(",")),
  z.array(oneOf(jobStatuses), {
    error: `one or more of ${jobStatuses.join(", ")}, with commas between them`,
  }),
);

/** One action, or several with commas between them. */
const actionsText = z.pipe(
  z.transform((value) => String(value).split(",")),
  z.array(action, { error: `one or more of ${actions.join(", ")}, with commas between them` }),
);

const falseText = z.pipe(
  z.literal("false", { error: '"false", or left out' }),
  z.transform(() => false),
);

const completion = fieldsOnly({
  result: optional(shallowJson, "Any JSON; by default what a job of its action makes"),
});
const failure = fieldsOnly({
  reason: optional(text, 'The error of the job; "Generation failed" by default'),
});

/** Ends a job that has not finished, in one of the three ways. */
const endJob = (service: MockService, id: string, end: (id: string) => void) => {
  const job = service.jobs.find(id);
  if (job === undefined) throw refuse(404, `No job has the id "${id}"`);
  if (isFinished(job.status)) throw refuse(409, `The job has ${job.status} already`);
  end(job.job_id);
  return service.jobs.find(job.job_id) ?? null;
};

export const jobRoutes = {
  listJobs: defineRoute({
    summary: `Lists the newest jobs that fit, ${listedUsually} unless a limit is given, and counts all`,
    input: {
      query: z.object({
        ...jobSearchFields,
        status: optional(statusesText, "Only jobs in this state, or several with commas between"),
        action: optional(actionsText, "Only jobs of this action, or several with commas between"),
        limit: optional(wholeText(listedAtMost), "Number of the jobs, the newest; 100 by default"),
        each: optional(wholeText(listedAtMost), "Number of the jobs of each state"),
        results: optional(falseText, '"false" leaves the results out'),
      }),
    },
    run: ({ service, query }) => {
      requireAccount(service, query.account);
      return refuseAs("before", () => service.jobs.search({ limit: listedUsually, ...query }));
    },
  }),
  showJob: defineRoute({
    summary: "Shows all about one job: request, cost, times, its journal entries",
    input: { path: ofJob },
    run: ({ service, path: { id } }) => {
      const detail = service.jobs.inspect(id);
      if (detail === undefined) throw refuse(404, `No job has the id "${id}"`);
      const requests = service.journal.find({ job: id }).map(({ number }) => number);
      return { ...detail, requests };
    },
  }),
  completeJob: defineRoute({
    summary: "Completes an unfinished job",
    input: { path: ofJob, body: completion },
    run: ({ service, path, body }) =>
      endJob(service, path.id, (id) =>
        refuseAs("result", () => service.jobs.complete(id, body.result)),
      ),
  }),
  failJob: defineRoute({
    summary: "Makes an unfinished job fail",
    input: { path: ofJob, body: failure },
    run: ({ service, path, body }) =>
      endJob(service, path.id, (id) =>
        refuseAs("reason", () => service.jobs.fail(id, body.reason)),
      ),
  }),
  expireJob: defineRoute({
    summary: "Makes an unfinished job expire",
    input: { path: ofJob, body: noFields },
    run: ({ service, path }) => endJob(service, path.id, (id) => service.jobs.expire(id)),
  }),
};
