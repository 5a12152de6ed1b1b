import type { FinishedJob, Job } from "adgen-sdk";
import { Listr, type ListrTask } from "listr2";
import { columns, row } from "./print.ts";

interface Plan<Finished> {
  /** The request in two words. */
  readonly asked: string;
  readonly start: (onUpdate: (job: Job) => void) => Promise<Finished>;
}

/**
 * Runs jobs side by side and gives each a line that follows it. In a terminal the line changes;
 * elsewhere each status gets a new line.
 */
export const followJobs = async <Jobs extends { readonly [action: string]: FinishedJob }>(
  plans: {
    readonly [Action in keyof Jobs]: Plan<Jobs[Action]>;
  },
): Promise<Jobs> => {
  const { stdout } = process;
  // Some terminals do not know their size.
  if (stdout.isTTY)
    Object.assign(stdout, { columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const finished: Record<string, FinishedJob> = {};

  const taskOf = ([action, { asked, start }]: [string, Plan<FinishedJob>]): ListrTask => {
    let status = "submitting";
    const startedAt = performance.now();
    const line = () => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      return columns(action, asked, status, `${seconds} s`);
    };
    return {
      title: line(),
      task: async (_, task) => {
        const ticking = setInterval(() => {
          task.title = line();
        }, 100);
        const job = start((seen) => {
          status = seen.status;
          task.title = line();
          if (!stdout.isTTY) row(line());
        });
        finished[action] = await job.finally(() => clearInterval(ticking));
      },
    };
  };
  const tasks = Object.entries<Plan<FinishedJob>>(plans).map(taskOf);
  await new Listr(tasks, { concurrent: true, renderer: stdout.isTTY ? "default" : "silent" }).run();
  return finished as Jobs;
};
