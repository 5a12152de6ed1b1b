import { useQuery } from "@tanstack/react-query";
import { JobCard } from "./job-card.tsx";
import { Notice } from "./notice.tsx";
import { jobsQuery } from "./queries.ts";
import { sayError } from "./say-error.ts";

const Empty = () => (
  <div className="empty">
    <svg viewBox="0 0 120 72" aria-hidden="true">
      <rect x="6" y="14" width="44" height="44" rx="8" />
      <rect x="38" y="6" width="44" height="56" rx="8" />
      <rect x="70" y="14" width="44" height="44" rx="8" />
    </svg>
    <p>
      <strong>Nothing here yet</strong>
    </p>
    <p className="soft">Choose what to make, say what it shall show, and watch it come.</p>
  </div>
);

/** A person's jobs, the newest first. */
export const JobList = ({ person }: { person: string }) => {
  const { data: jobs, error } = useQuery(jobsQuery(person));
  return (
    <section className="jobs" aria-labelledby="jobs-title">
      <h2 id="jobs-title">Your ads</h2>
      {error !== null && <Notice words={sayError(error)} />}
      {jobs === undefined && error === null && <div className="job card skeleton" />}
      {jobs?.length === 0 && <Empty />}
      <ul>
        {jobs?.map((job) => (
          <li key={job.job_id}>
            <JobCard person={person} listed={job} />
          </li>
        ))}
      </ul>
    </section>
  );
};
