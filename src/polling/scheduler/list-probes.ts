import { isFinished, type Job } from "../../contract/jobs.ts";
import type { AnyAdGenError } from "../../errors/errors.ts";
import type { ListLook, Look, Wait } from "../wait.ts";

/** The verdicts about a look at the list, and the way to them. */
export interface ListVerdicts {
  readonly lookSingly: (wait: Wait) => void;
  /** The service has failed: the look has failed for all its waits. */
  readonly failAll: (list: ListLook, failure: AnyAdGenError) => void;
  /** The list is of no use: its waits look for themselves. */
  readonly giveUp: (list: ListLook) => void;
}

/** Makes the functions that hold the list against the single look of one of its waits. */
export const createListProbes = ({ lookSingly, failAll, giveUp }: ListVerdicts) => {
  /** Has one wait look for itself, and then decides about the list. */
  const probe = (list: ListLook, wait: Wait | undefined, endProbe: (seen?: Look) => void): void => {
    if (wait === undefined) return;
    Object.assign(list, { probe: wait, endProbe });
    lookSingly(wait);
  };

  /** Finds out whether the list alone has failed, or the service. */
  const probeFailure = (list: ListLook, failure: AnyAdGenError): void => {
    const [wait] = list.waits;
    probe(list, wait, (seen) => {
      const own = seen?.failure;
      if (seen === undefined) probeFailure(list, failure);
      else if (own?.code === failure.code && own.status === failure.status) failAll(list, failure);
      else giveUp(list);
    });
  };

  /** Finds out whether a job is where the list says: one that lags behind is of no use. */
  const probeStatus = (list: ListLook, jobs: ReadonlyMap<unknown, Job>, show: () => void): void => {
    const wait = [...list.waits].find(({ id }) => {
      const job = jobs.get(id);
      return job !== undefined && !isFinished(job.status);
    });
    if (wait === undefined) {
      show();
      return;
    }
    const { status } = jobs.get(wait.id) as Job;
    probe(list, wait, (seen) => {
      if (seen?.job === undefined || seen.job.status === status) show();
      else giveUp(list);
    });
  };

  return { probeFailure, probeStatus };
};
