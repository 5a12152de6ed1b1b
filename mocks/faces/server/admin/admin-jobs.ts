import { isFinished, isJobStatus, jobStatuses } from "../../../../src/contract/jobs.ts";
import type { JobOutcome } from "../../../outcomes/outcome.ts";
import type { MockService } from "../../../service/mock-service.ts";
import {
  actionOf,
  endlessNumberOf,
  type Fields,
  given,
  keyOf,
  textOf,
  wholeNumberOf,
} from "./admin-input.ts";
import { listOwnedJobs } from "./admin-job-list.ts";
import { type AdminRoute, makesSense, Refusal } from "./admin-route.ts";

const listedAtMost = 1000;
const listedUsually = 100;

const statusOf = (fields: Fields) => {
  const status = textOf(fields, "status");
  if (status === undefined || isJobStatus(status)) return status;
  throw new Refusal(400, `status: expected one of ${jobStatuses.join(", ")}`);
};

const readOutcome = (body: Fields): JobOutcome => ({
  ...given({ fail: textOf(body, "fail"), takesMs: endlessNumberOf(body, "takesMs") }),
  ...("result" in body && { result: body["result"] }),
});

/** Ends a job that has not finished, in one of the three ways. */
const finish = (service: MockService, id: string | undefined, end: (id: string) => void) => {
  const job = service.jobs.find(id ?? "");
  if (job === undefined) throw new Refusal(404, "No job with this id");
  if (isFinished(job.status)) throw new Refusal(409, `The job has ${job.status} already`);
  end(job.job_id);
  // One that has expired may be gone, by the service's `expiry`.
  return service.jobs.find(job.job_id) ?? null;
};

export const jobRoutes: readonly AdminRoute[] = [
  {
    method: "GET",
    path: "/__mock/jobs",
    summary: "the newest jobs: ?account=&status=&limit=",
    answer: ({ service, query }) => {
      const fields = Object.fromEntries(query);
      const limit = wholeNumberOf(fields, "limit", listedAtMost) ?? listedUsually;
      const choice = given({ account: keyOf(service, fields), status: statusOf(fields) });
      return { jobs: listOwnedJobs(service, { ...choice, limit }) };
    },
  },
  {
    method: "POST",
    path: "/__mock/jobs/next",
    summary: "how the next jobs end: {fail | result, takesMs?, account?, action?, times?}",
    fields: ["fail", "result", "takesMs", "account", "action", "times"],
    answer: ({ service, body }) => {
      const options = given({
        account: keyOf(service, body),
        action: actionOf(body),
        times: endlessNumberOf(body, "times"),
      });
      makesSense("outcome", () => service.jobs.next(readOutcome(body), options));
      return { planned: true };
    },
  },
  {
    method: "POST",
    path: "/__mock/jobs/:id/complete",
    summary: "completes an unfinished job: {result?}",
    fields: ["result"],
    answer: ({ service, parts, body }) =>
      finish(service, parts["id"], (id) =>
        makesSense("result", () => service.jobs.complete(id, body["result"])),
      ),
  },
  {
    method: "POST",
    path: "/__mock/jobs/:id/fail",
    summary: "makes an unfinished job fail: {reason?}",
    fields: ["reason"],
    answer: ({ service, parts, body }) => {
      const reason = textOf(body, "reason");
      return finish(service, parts["id"], (id) =>
        makesSense("reason", () => service.jobs.fail(id, reason)),
      );
    },
  },
  {
    method: "POST",
    path: "/__mock/jobs/:id/expire",
    summary: "makes an unfinished job expire",
    fields: [],
    answer: ({ service, parts }) => finish(service, parts["id"], (id) => service.jobs.expire(id)),
  },
];
