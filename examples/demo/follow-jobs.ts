import type { FinishedJob, Job, WaitProgress } from "adgen-sdk";
import { Listr, type ListrTask } from "listr2";
import { row } from "./print.ts";
import { describeProgress } from "./progress.ts";

/** A wait, as `watchJob` gives it. */
interface Watch<Result> extends AsyncIterable<Job<Result>> {
  readonly progress: WaitProgress | undefined;
}

interface Plan<Result> {
  /** The request in two words. */
  readonly asked: string;
  /** Submits the job. */
  readonly start: () => Promise<Watch<Result>>;
}

/** Jobs that have finished, and the number of polls each, by action. */
export interface Followed<Results> {
  readonly jobs: { readonly [Action in keyof Results]: FinishedJob<Results[Action]> };
  readonly polls: ReadonlyMap<string, number>;
}

/**
 * Runs jobs side by side and gives each a line that follows it. In a terminal the line has a bar
 * that grows; elsewhere each poll and each half second get a new line.
 */
export const followJobs = async <Results extends { readonly [action: string]: unknown }>(
  plans: {
    readonly [Action in keyof Results]: Plan<Results[Action]>;
  },
): Promise<Followed<Results>> => {
  const { stdout } = process;
  // Some terminals do not know their size.
  if (stdout.isTTY)
    Object.assign(stdout, { columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const jobs: Record<string, Job> = {};
  const polls = new Map<string, number>();

  const taskOf = ([action, { asked, start }]: [string, Plan<unknown>]): ListrTask => {
    let watch: Watch<unknown> | undefined;
    let status = "submitting";
    // At most 76 characters: a line of a terminal has 80, two for the icon.
    const line = (detail = asked) =>
      action.padEnd(18) + detail.padEnd(14) + status.padEnd(12) + describeProgress(watch?.progress);

    return {
      title: line(),
      task: async (_, task) => {
        const show = (seen: string) => {
          status = seen;
          task.title = line();
          if (!stdout.isTTY) row(line(`polls: ${watch?.progress?.polls ?? 0}`));
        };
        const ticking = setInterval(() => show(status), stdout.isTTY ? 100 : 500);
        try {
          watch = await start();
          show("queued");
          for await (const job of watch) {
            jobs[action] = job;
            polls.set(action, watch.progress?.polls ?? 0);
            show(job.status);
          }
        } finally {
          clearInterval(ticking);
        }
      },
    };
  };
  const tasks = Object.entries<Plan<unknown>>(plans).map(taskOf);
  await new Listr(tasks, { concurrent: true, renderer: stdout.isTTY ? "default" : "silent" }).run();
  // A watch ends after the finished job.
  return { jobs: jobs as Followed<Results>["jobs"], polls };
};
