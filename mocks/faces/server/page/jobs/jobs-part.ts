import type { MockService } from "../../../../service/mock-service.ts";
import type { Choice, LinkTo } from "../choice.ts";
import type { Html } from "../markup.ts";
import { lookAtJob } from "./detail-look.ts";
import { jobView, noJob } from "./detail-view.ts";
import { lookAtJobs } from "./job-look.ts";
import { jobsView } from "./jobs-view.ts";

/** Circumstances of a view of jobs. */
interface Around {
  readonly choice: Choice;
  readonly keys: readonly string[];
  readonly linkTo: LinkTo;
  readonly origin: string;
}

/** Reads the jobs, or the one that is chosen, and renders them only when that is asked for. */
export const lookAtJobsPart = (
  service: MockService,
  around: Around,
): { readonly seen: unknown; readonly view: () => Html } => {
  const { choice, linkTo, origin } = around;
  const id = choice.job;
  if (id === undefined) {
    const seen = lookAtJobs(service, choice);
    return { seen, view: () => jobsView(seen, around) };
  }
  const seen = lookAtJob(service, id);
  return {
    seen,
    view: () => (seen === undefined ? noJob(id, linkTo) : jobView(seen, linkTo, origin)),
  };
};
