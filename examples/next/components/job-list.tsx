import { JobCard } from "@/components/job-card";
import { WaitingJob } from "@/components/waiting-job";
import { adgen } from "@/lib/adgen";

/** A finished job: read on the server, with its pictures. */
const FinishedJob = async ({ jobId }: { jobId: string }) => (
  <JobCard job={await adgen.jobs.get({ job_id: jobId, action: "generate-ad" })} />
);

/** One's own jobs. Those that are not finished are waited for in the browser. */
export const JobList = async () => {
  const { items } = await adgen.jobs.list({ limit: 8 });
  if (items.length === 0) return <p className="usage">Your ads will be here.</p>;
  return (
    <ul className="jobs">
      {items.map(({ job_id, status }) => (
        <li key={job_id} className="card" data-job={job_id}>
          {status === "completed" || status === "failed" ? (
            <FinishedJob jobId={job_id} />
          ) : (
            <WaitingJob jobId={job_id} status={status} />
          )}
        </li>
      ))}
    </ul>
  );
};
