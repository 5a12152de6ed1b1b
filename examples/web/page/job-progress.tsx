import type { WaitProgress } from "adgen-sdk";

const seconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1_000))} s`;

/** Time that a job usually takes. */
const usualMs = 20_000;

/** Tells what is left. It is a guess from jobs that this page has seen, and not a promise. */
const restOf = ({ elapsedMs }: WaitProgress): string => {
  const leftMs = usualMs - elapsedMs;
  return leftMs < 500 ? "any moment now" : `about ${seconds(leftMs)} left`;
};

interface JobProgressProps {
  readonly title: string;
  readonly isUnfinished: boolean;
  /** This page has submitted the job, and knows since when it runs. */
  readonly isNew: boolean;
  /** Absent before the first poll. */
  readonly progress: WaitProgress | undefined;
}

/** A job on its way. At the end the place of the bar stays, so that nothing jumps. */
export const JobProgress = ({ title, isUnfinished, isNew, progress }: JobProgressProps) => {
  if (!isUnfinished) {
    // A job that was ready when the page was opened has no way to tell of.
    if (progress === undefined || (!isNew && progress.polls < 2)) return null;
    return (
      <div className="progress">
        <p className="soft">{isNew ? `Took ${seconds(progress.elapsedMs)}` : "Done"}</p>
        <div className="track" data-done />
      </div>
    );
  }
  const percent = progress && Math.min(99, Math.round((100 * progress.elapsedMs) / usualMs));
  const verb = isNew ? "Running" : "Watched";
  return (
    <div className="progress">
      <p className="soft">
        <span>{progress && `${verb} for ${seconds(progress.elapsedMs)}`}</span>
        <span>{progress && restOf(progress)}</span>
      </p>
      <div
        className="track"
        role="progressbar"
        aria-label={`Progress of ${title}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        {/* Without an estimate the bar tells only that something moves. */}
        <span
          data-unknown={percent === undefined || undefined}
          style={percent === undefined ? undefined : { inlineSize: `${percent}%` }}
        />
      </div>
    </div>
  );
};
