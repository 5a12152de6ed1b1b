/** Number of submitted jobs that a client remembers the action of. */
const rememberedJobs = 10_000;

/** Memory of the actions that jobs were submitted with, by job id. */
export interface KnownActions {
  readonly remember: (jobId: string, action: unknown) => void;
  readonly actionOf: (jobId: string) => unknown;
}

/** Makes a memory that forgets the oldest job first. */
export const createKnownActions = (): KnownActions => {
  const actions = new Map<string, unknown>();
  return {
    remember: (jobId, action) => {
      actions.set(jobId, action);
      const [oldest] = actions.keys();
      if (oldest !== undefined && actions.size > rememberedJobs) actions.delete(oldest);
    },
    actionOf: (jobId) => actions.get(jobId),
  };
};
