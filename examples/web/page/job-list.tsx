import { useQuery } from "@tanstack/react-query";
import { JobCard } from "./job-card.tsx";
import { Notice } from "./notice.tsx";
import { Posters } from "./posters.tsx";
import { jobsQuery } from "./queries.ts";
import { sayError } from "./say-error.ts";

const Empty = () => (
  <div className="empty">
    <Posters />
    <p>
      <strong>Nothing here yet</strong>
    </p>
    <p className="soft">Choose what to make, say what it should show, and watch it come.</p>
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
