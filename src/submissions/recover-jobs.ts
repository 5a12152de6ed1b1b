import { memoryOf } from "../client/internal/job-memory.ts";
import { refuseOption } from "../client/options/rules.ts";
import type { OpenSubmissions, RecoverOptions } from "../client/options/submissions.ts";

/**
 * Lists the submissions that this process or another one has left open, which are under way or in
 * doubt. When a submission is in doubt, it lists the recent jobs once, and adds the candidates to
 * each doubt.
 *
 * @param client - A client of `createClient({ submissions })`
 * @throws `AdGenError`
 * - `config`: the client has no submissions, or an option makes no sense.
 * - `store`: the store cannot be read.
 * - `aborted`: `signal` was aborted.
 * - The codes of `jobs.list`: the candidates cannot be listed.
 * @example
 * const { unknown } = await recoverJobs(client);
 */
export const recoverJobs = async (
  client: { readonly jobs: object },
  options?: RecoverOptions,
): Promise<OpenSubmissions> =>
  (memoryOf(client.jobs)?.recover(options) as Promise<OpenSubmissions> | undefined) ??
  refuseOption(
    "recoverJobs needs submissions: createClient({ submissions: createSubmissions(store) }), " +
      "see adgen-sdk/submissions",
  );
