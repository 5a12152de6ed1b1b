import type { Action, Job } from "adgen-sdk";
import { isVideo } from "./catalogue.ts";
import { PictureView } from "./picture-view.tsx";
import { readResult } from "./read-result.ts";
import type { Note } from "./request-notes.ts";

interface JobResultProps {
  /** Absent before the first poll. */
  readonly job: Job | undefined;
  readonly action: string;
  readonly note: Note;
}

/** Boxes of the size of what will come, so that nothing jumps when it is there. */
const Coming = ({ action, note }: Pick<JobResultProps, "action" | "note">) => {
  if (isVideo(action as Action)) return <div className="film skeleton" />;
  const kind = action === "generate-ad-copy" ? "text skeleton" : "picture skeleton";
  return Array.from({ length: note.variations ?? 1 }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the boxes are alike, and never change places
    <div key={place} className={kind} />
  ));
};

/** Pictures, films or texts of a job. */
export const JobResult = ({ job, action, note }: JobResultProps) => {
  if (job?.status !== "completed") {
    return (
      <div
        className="result"
        data-kind={action === "generate-ad-copy" ? "texts" : undefined}
        aria-hidden="true"
      >
        <Coming action={action} note={note} />
      </div>
    );
  }
  const { images, videos, copy } = readResult(job.result);
  const subject = note.prompt ?? "the ad";
  return (
    <div className="result" data-kind={copy.length > 0 ? "texts" : undefined}>
      {images.length > 0 && <PictureView pictures={images} subject={subject} />}
      {videos.map(({ url }) => (
        <video
          key={url}
          className="film"
          // The fragment makes every browser show a first picture.
          src={`${url}#t=0.01`}
          controls
          muted
          playsInline
          preload="metadata"
          aria-label={`Film: ${subject}`}
        />
      ))}
      {copy.map(({ headline, primary_text, description, call_to_action }) => (
        <article key={headline + primary_text} className="text">
          <h4>{headline}</h4>
          <p>{primary_text}</p>
          <p className="soft">{description}</p>
          <span className="call">{call_to_action}</span>
        </article>
      ))}
    </div>
  );
};
