import { refuseOption } from "../options/rules.ts";
import { memoryOf } from "../request/job-memory.ts";
import type { RecoveredSubmissions, RecoverOptions } from "../submissions/recover.ts";

/**
 * Tells what earlier processes, or this one, have left open: jobs to wait for, and submissions of
 * unknown outcome with candidates. It needs `createClient({ submissions })`, and lists the recent
 * jobs once where a submission is unknown.
 *
 * @param client - A client of `createClient({ submissions })`
 * @throws {@link AdGenError}: `config` without submissions, `store` when it cannot be read,
 * `invalid_request`, `aborted`.
 * @example
 * const { waiting, unknown } = await recoverJobs(client);
 * await pollJobs(client, waiting);
 */
export const recoverJobs = async (
  client: { readonly jobs: object },
  options?: RecoverOptions,
): Promise<RecoveredSubmissions> =>
  memoryOf(client.jobs)?.recover(options) ??
  refuseOption(
    "recoverJobs needs submissions: createClient({ submissions: createSubmissions(store) }), " +
      "see adgen-sdk/submissions",
  );
