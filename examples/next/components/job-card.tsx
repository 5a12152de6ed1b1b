import type { Job } from "adgen-sdk";
import type { AssumedImageResult } from "adgen-sdk/assumed";

const words = {
  queued: "In the queue",
  processing: "Being made",
  completed: "Ready",
  failed: "Failed",
} as const;

/** State and pictures of a job, for server components and for the browser. */
export const JobCard = ({ job }: { job: Job<AssumedImageResult> }) => (
  <>
    <p className="status" data-status={job.status}>
      {words[job.status] ?? job.status}
    </p>
    {job.status === "failed" && <p className="problem">{job.error ?? "Order it again."}</p>}
    {job.status === "completed" && (
      <div className="pictures">
        {job.result.images.map(({ url, width, height }, index) => (
          <a key={url} href={url}>
            <img src={url} width={width} height={height} alt={`Variation ${index + 1} of the ad`} />
          </a>
        ))}
      </div>
    )}
  </>
);
