import { type FormEvent, type RefObject, useId } from "react";
import { ActionChoice } from "./action-choice.tsx";
import { AmountField } from "./amount-field.tsx";
import { costOf, credits, type Draft, isVideo, needsPicture, toRequest } from "./catalogue.ts";
import { Notice } from "./notice.tsx";
import { sayError } from "./say-error.ts";
import { useSubmit } from "./use-submit.ts";

interface JobFormProps {
  readonly person: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly button: RefObject<HTMLButtonElement | null>;
}

const buttonText = (draft: Draft): string => {
  const cost = costOf(draft);
  if (cost === 0) return "Make it, for free";
  return `Make it for ${credits(cost)}`;
};

/** The order of a new job. */
export const JobForm = ({ person, draft, onChange, button }: JobFormProps) => {
  const id = useId();
  const { submit, isPending, search, error } = useSubmit(person);
  const { action, prompt, variations, duration, picture } = draft;
  const change = (part: Partial<Draft>): void => onChange({ ...draft, ...part });

  const order = (event: FormEvent): void => {
    event.preventDefault();
    submit(toRequest(draft));
  };
  const unit = action === "generate-ad-copy" ? "text" : "picture";

  return (
    <form className="job-form card" aria-label="New job" onSubmit={order}>
      <ActionChoice chosen={action} onChoose={(chosen) => change({ action: chosen })} />

      <div className="field">
        <label htmlFor={`${id}-prompt`}>What should it show?</label>
        <textarea
          id={`${id}-prompt`}
          rows={3}
          required
          maxLength={2_000}
          placeholder="Ice-cold lemonade on a hot day, in yellow and teal"
          value={prompt}
          onChange={({ target }) => change({ prompt: target.value })}
        />
      </div>

      {needsPicture(action) && (
        <div className="field">
          <label htmlFor={`${id}-picture`}>Address of the ad to begin with (optional)</label>
          <input
            id={`${id}-picture`}
            type="url"
            placeholder="https://…"
            value={picture}
            onChange={({ target }) => change({ picture: target.value })}
          />
        </div>
      )}

      {isVideo(action) ? (
        <AmountField
          label="How long?"
          unit={["second", "seconds"]}
          max={30}
          value={duration}
          onChange={(seconds) => change({ duration: seconds })}
        />
      ) : (
        <AmountField
          label="How many?"
          unit={[unit, `${unit}s`]}
          max={10}
          value={variations}
          onChange={(count) => change({ variations: count })}
        />
      )}

      <button ref={button} type="submit" className="primary" aria-disabled={isPending}>
        {isPending ? "Ordering…" : buttonText(draft)}
      </button>

      {search !== undefined && (
        <p className="notice calm" role="status">
          <strong>The answer got lost on its way</strong>
          {search === "looking"
            ? "The job may exist, so we do not order it again: we look for it."
            : "We looked for the job, and found it. It was made once, and paid once."}
        </p>
      )}
      {error !== null && !isPending && <Notice words={sayError(error)} />}
    </form>
  );
};
