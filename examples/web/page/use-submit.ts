import { useMutation, useQueryClient } from "@tanstack/react-query";
import { findLostJobs, isAdGenError, type JobRequest } from "adgen-sdk";
import { useState } from "react";
import { client } from "./client.ts";
import { balanceQuery, jobsQuery, type ListedJob } from "./queries.ts";
import { keepNote } from "./request-notes.ts";

/** Submits jobs. A job whose answer got lost is looked for, and never submitted again. */
export const useSubmit = (person: string) => {
  const queries = useQueryClient();
  const [isLooking, setIsLooking] = useState(false);

  const submission = useMutation({
    mutationKey: [person, "submit"],
    mutationFn: async (request: JobRequest): Promise<ListedJob> => {
      if (!navigator.onLine) throw new Error("The page is offline");
      try {
        return await client.jobs.submit(request);
      } catch (error) {
        // A refusal is certain. Only of an unknown outcome may a job exist, and be paid.
        if (!isAdGenError(error) || error.outcome !== "unknown") throw error;
        setIsLooking(true);
        const { candidates } = await findLostJobs(client, error);
        const [found, ...others] = candidates;
        if (found === undefined || others.length > 0) throw error;
        return found;
      } finally {
        setIsLooking(false);
      }
    },
    onSuccess: (submitted, request) => {
      keepNote(person, submitted.job_id, request);
      const job = { action: request.action, created_at: new Date().toISOString(), ...submitted };
      queries.setQueryData(jobsQuery(person).queryKey, (jobs = []) => [
        job,
        ...jobs.filter(({ job_id }) => job_id !== job.job_id),
      ]);
    },
    onSettled: () => queries.invalidateQueries(balanceQuery(person)),
  });

  /** Submits, unless a submission is under way: a double click is one order. */
  const submit = (request: JobRequest): void => {
    if (queries.isMutating({ mutationKey: [person, "submit"] }) === 0) submission.mutate(request);
  };
  return { ...submission, submit, isLooking };
};
