import type { JobStatus } from "adgen-sdk";
import { useEffect, useRef, useState } from "react";
import { titleOf } from "./catalogue.ts";
import { JobProgress } from "./job-progress.tsx";
import { JobResult } from "./job-result.tsx";
import { Notice } from "./notice.tsx";
import type { ListedJob } from "./queries.ts";
import { readNote } from "./request-notes.ts";
import { sayError } from "./say-error.ts";
import { useJob } from "./use-job.ts";

interface JobCardProps {
  readonly person: string;
  readonly listed: ListedJob;
}

const statusWords: Readonly<Record<string, string>> = {
  queued: "In the queue",
  processing: "Being made",
  completed: "Ready",
  failed: "Failed",
};

const timeOf = (iso: string): string =>
  new Date(iso).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });

const isFinished = (status: JobStatus): boolean => status === "completed" || status === "failed";

/** One job, from the queue to its pictures. */
export const JobCard = ({ person, listed }: JobCardProps) => {
  const { job, progress, error, pollAgain } = useJob(listed);
  const { job_id: id, action = "", created_at: createdAt } = listed;
  const note = readNote(person, id);
  const { status } = job ?? listed;
  const isUnfinished = !isFinished(status);
  const [{ isNew, wasUnfinished }] = useState({
    isNew: listed.isNew === true,
    wasUnfinished: isUnfinished,
  });
  const card = useRef<HTMLElement>(null);
  // On a small screen, the list is below the form.
  useEffect(() => {
    if (isNew) card.current?.scrollIntoView({ block: "nearest" });
  }, [isNew]);

  return (
    <article ref={card} className="job card" aria-busy={isUnfinished}>
      <header>
        <h3>{titleOf(action)}</h3>
        {createdAt !== undefined && (
          <time className="soft" dateTime={createdAt}>
            {timeOf(createdAt)}
          </time>
        )}
        <span className="status" data-status={status} role="status">
          <span className="for-readers">{titleOf(action)}: </span>
          {statusWords[status] ?? status}
        </span>
      </header>
      {note.prompt !== undefined && <p className="prompt">{note.prompt}</p>}
      {job?.status === "failed" && (
        <p className="failure">{job.error ?? "The service does not say why."}</p>
      )}
      {error === null && wasUnfinished && status !== "failed" && (
        <JobProgress
          title={titleOf(action)}
          isUnfinished={isUnfinished}
          isNew={isNew}
          progress={progress}
        />
      )}
      {error === null && status !== "failed" && <JobResult job={job} action={action} note={note} />}
      {error !== null && (
        <Notice words={sayError(error)}>
          <button type="button" className="quiet" onClick={() => pollAgain()}>
            Look again
          </button>
        </Notice>
      )}
    </article>
  );
};
