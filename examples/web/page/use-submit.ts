import { useMutation, useQueryClient } from "@tanstack/react-query";
import { findLostJobs, isAdGenError, type JobRequest } from "adgen-sdk";
import { useState } from "react";
import { client } from "./client.ts";
import { balanceQuery, jobsQuery, type ListedJob } from "./queries.ts";
import { keepNote } from "./request-notes.ts";

/** Search for a job whose answer got lost. */
export type Search = "looking" | "found";

/** Submits jobs. A job whose answer got lost is looked for, and never submitted again. */
export const useSubmit = (person: string) => {
  const queries = useQueryClient();
  const [search, setSearch] = useState<Search>();

  const submission = useMutation({
    mutationKey: [person, "submit"],
    mutationFn: async (request: JobRequest): Promise<ListedJob> => {
      setSearch(undefined);
      if (!navigator.onLine) throw new Error("The page is offline");
      try {
        return await client.jobs.submit(request);
      } catch (error) {
        // A refusal is certain. Only of an unknown outcome may a job exist, and be paid.
        if (!isAdGenError(error) || error.outcome !== "unknown") throw error;
        setSearch("looking");
        const { candidates } = await findLostJobs(client, error);
        const [found, ...others] = candidates;
        const isCertain = found !== undefined && others.length === 0;
        setSearch(isCertain ? "found" : undefined);
        if (!isCertain) throw error;
        return found;
      }
    },
    onSuccess: (submitted, request) => {
      keepNote(person, submitted.job_id, request);
      const { action } = request;
      const job = { action, created_at: new Date().toISOString(), ...submitted, isNew: true };
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
  return { ...submission, submit, search };
};
