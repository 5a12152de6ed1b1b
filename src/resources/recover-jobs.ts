import { memoryOf } from "../http/job-memory.ts";
import { refuseOption } from "../options/rules.ts";
import type { OpenSubmissions, RecoverOptions } from "../submissions/submissions.ts";

/**
 * Tells what earlier processes, or this one, have left open: submissions under way, and those of
 * unknown outcome with candidates, for which it lists the recent jobs once.
 *
 * @param client - A client of `createClient({ submissions })`
 * @throws {@link AdGenError}: `config` without submissions, `store` when it cannot be read, and what
 * `jobs.list` throws.
 * @example
 * const { unknown } = await recoverJobs(client);
 */
export const recoverJobs = async (
  client: { readonly jobs: object },
  options?: RecoverOptions,
): Promise<OpenSubmissions> =>
  memoryOf(client.jobs)?.recover(options) ??
  refuseOption(
    "recoverJobs needs submissions: createClient({ submissions: createSubmissions(store) }), " +
      "see adgen-sdk/submissions",
  );
