"use client";

import { createClient, type Job, pollJob } from "adgen-sdk";
import { type AssumedImageResult, assumedSchemas } from "adgen-sdk/assumed";
import { useActionState, useEffect, useState } from "react";
import { orderAd } from "@/app/actions";

// No key: the route handler at /adgen adds it.
const client = createClient({ baseUrl: "/adgen", apiKey: null, schemas: assumedSchemas });

/** A form that works without JavaScript, too. `order` is the id of the order that it makes. */
export const OrderForm = ({ order }: { order: string }) => {
  const [problem, send, isPending] = useActionState(orderAd, "");
  return (
    <form action={send}>
      <input type="hidden" name="order" value={order} />
      <label>
        Your ad <input name="prompt" required />
      </label>
      <button type="submit" disabled={isPending}>
        Order
      </button>
      {problem !== "" && <p role="alert">{problem}</p>}
    </form>
  );
};

/** Waits for a job in the browser, because a wait on the server would delay the page. */
export const WaitingJob = ({ jobId }: { jobId: string }) => {
  const [job, setJob] = useState<Job<AssumedImageResult>>();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    pollJob(client, { job_id: jobId, action: "generate-ad" }, { signal, onUpdate: setJob }).catch(
      (error) => signal.aborted || console.error(error),
    );
    return () => leaving.abort();
  }, [jobId]);
  return (
    <p data-job={jobId}>
      {job?.status === "failed" && "This ad could not be made."}
      {job?.status !== "failed" && job?.status !== "completed" && "Being made"}
      {job?.status === "completed" &&
        job.result.images.map(({ url }) => <img key={url} src={url} alt="The ad" width="300" />)}
    </p>
  );
};
