import { useQuery } from "@tanstack/react-query";
import { type Job, type WaitProgress, watchJob } from "adgen-sdk";
import { useState } from "react";
import { client } from "./client.ts";
import type { ListedJob } from "./queries.ts";

/** Time between two drawings of the progress, in milliseconds. The client decides when to look. */
const frameMs = 250;

/**
 * Waits for a job: a wait is a query that answers late. It ends by its signal when the card goes,
 * and begins anew with the page.
 */
export const useJob = (listed: ListedJob) => {
  const [seen, setSeen] = useState<Job>();
  const [progress, setProgress] = useState<WaitProgress>();

  const wait = useQuery({
    queryKey: ["job", listed.job_id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Job | null> => {
      const watch = watchJob(client, listed.job_id, { signal });
      const clock = setInterval(() => setProgress(watch.progress), frameMs);
      let last: Job | null = null;
      try {
        for await (last of watch) {
          setSeen(last);
          setProgress(watch.progress);
        }
        return last;
      } finally {
        clearInterval(clock);
      }
    },
  });
  return { job: wait.data ?? seen, progress, error: wait.error, pollAgain: wait.refetch };
};
