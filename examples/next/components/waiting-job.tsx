"use client";

import { createClient, isAdGenError, type Job, pollJob } from "adgen-sdk";
import { type AssumedImageResult, assumedSchemas } from "adgen-sdk/assumed";
import { useEffect, useState } from "react";
import { JobCard } from "@/components/job-card";
import { describeError } from "@/lib/error-words";

// No key: the route handler at /adgen adds it.
const client = createClient({ baseUrl: "/adgen", apiKey: null, schemas: assumedSchemas });

/** Waits for a job in the browser, and shows how it gets on. */
export const WaitingJob = ({
  jobId,
  status,
}: {
  jobId: string;
  status: "queued" | "processing";
}) => {
  const [job, setJob] = useState<Job<AssumedImageResult>>({ job_id: jobId, status });
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    pollJob(client, { job_id: jobId, action: "generate-ad" }, { signal, onUpdate: setJob }).catch(
      (error: unknown) => {
        if (!signal.aborted) setProblem(isAdGenError(error) ? describeError(error) : String(error));
      },
    );
    return () => leaving.abort();
  }, [jobId]);

  return (
    <>
      <JobCard job={job} />
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
    </>
  );
};
