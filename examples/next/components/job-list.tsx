import { JobCard } from "@/components/job-card";
import { WaitingJob } from "@/components/waiting-job";
import { createClientFor } from "@/lib/adgen";
import type { Person } from "@/lib/session";

type Client = ReturnType<typeof createClientFor>;

/** A finished job: read on the server, with its pictures. */
const FinishedJob = async ({ client, jobId }: { client: Client; jobId: string }) => (
  <JobCard job={await client.jobs.get({ job_id: jobId, action: "generate-ad" })} />
);

/** A person's jobs. Those that are not finished are waited for in the browser. */
export const JobList = async ({ person }: { person: Person }) => {
  const client = createClientFor(person);
  const { items } = await client.jobs.list({ limit: 8 });
  if (items.length === 0) return <p className="usage">Your ads will be here.</p>;
  return (
    <ul className="jobs">
      {items.map(({ job_id, status }) => (
        <li key={job_id} className="card" data-job={job_id}>
          {status === "completed" || status === "failed" ? (
            <FinishedJob client={client} jobId={job_id} />
          ) : (
            <WaitingJob jobId={job_id} status={status} />
          )}
        </li>
      ))}
    </ul>
  );
};
