import * as z from "zod/mini";
import { actions } from "../../../../src/contract/actions.ts";
import { isFinished, jobStatuses } from "../../../../src/contract/jobs.ts";
import { count, fieldsOnly, oneOf, optional, shallowJson, text } from "../../../options/fields.ts";
import { jobSearchFields } from "../../../outcomes/job-search.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { defineRoute, found, fromText, idOf, refuse } from "./route.ts";

const ofJob = idOf("job");

/** Count of the things in a list without a limit; the summaries in `places` say it. */
const listedUsually = 100;
const listed = fromText(count);

/** Makes the schema of one name in a query, or of several with commas between them. */
const namesText = <const Name extends string>(names: readonly Name[]) => {
  const error = `one or more of ${names.join(", ")}, with commas between them`;
  const split = z.transform((value) => String(value).split(","));
  return z.pipe(split, z.array(oneOf(names), { error }));
};

const query = fieldsOnly({
  ...jobSearchFields,
  status: optional(namesText(jobStatuses), "Only jobs in these states, with commas between"),
  action: optional(namesText(actions), "Only jobs of these actions, with commas between"),
  limit: optional(listed, "Number of the jobs, the newest; 100 by default"),
  each: optional(listed, "Number of the jobs of each state"),
  results: optional(fromText(jobSearchFields.results), '"false" leaves the results out'),
});

const completion = fieldsOnly({
  result: optional(shallowJson, "Any JSON; by default what a job of its action makes"),
});
const failure = fieldsOnly({
  reason: optional(text, 'The error of the job; "Generation failed" by default'),
});

/** Ends a job that has not finished, in one of the three ways. */
const endJob = (service: MockService, id: string, end: (id: string) => void) => {
  const { status, job_id } = found(service.jobs.find(id), `No job has the id "${id}"`);
  if (isFinished(status)) throw refuse(409, `The job has ${status} already`);
  end(job_id);
  return service.jobs.find(job_id) ?? null;
};

export const jobRoutes = {
  listJobs: defineRoute({ query }, ({ service, query }) =>
    service.jobs.search({ limit: listedUsually, ...query }),
  ),
  showJob: defineRoute({ path: ofJob }, ({ service, path: { id } }) => {
    const detail = found(service.jobs.inspect(id), `No job has the id "${id}"`);
    const requests = service.journal.find({ job: id }).map(({ number }) => number);
    return { ...detail, requests };
  }),
  completeJob: defineRoute(
    { path: ofJob, body: completion },
    ({ service, path, body: { result } }) =>
      endJob(service, path.id, (id) => service.jobs.complete(id, result)),
  ),
  failJob: defineRoute({ path: ofJob, body: failure }, ({ service, path, body: { reason } }) =>
    endJob(service, path.id, (id) => service.jobs.fail(id, reason)),
  ),
  expireJob: defineRoute({ path: ofJob }, ({ service, path }) =>
    endJob(service, path.id, service.jobs.expire),
  ),
};
