import { useState } from "react";
import { failingPrompt } from "../studio/scripted-ends.ts";
import type { Draft } from "./catalogue.ts";
import { loseNextAnswer } from "./studio-calls.ts";

interface Trial {
  readonly title: string;
  readonly about: string;
  readonly draft: Partial<Draft>;
  readonly prepare?: () => Promise<unknown>;
}

/** Drafts that go wrong. The studio's server has planned how the first one ends. */
const trials: readonly Trial[] = [
  {
    title: "A job that fails",
    about: "The service takes it, and says later why not.",
    draft: { prompt: failingPrompt },
  },
  {
    title: "Too few credits",
    about: "Within your limit, and still too expensive.",
    draft: { action: "video-b-3-0", duration: 20, prompt: "The life of a lemon, in full" },
  },
  {
    title: "A lost answer",
    about: "The order arrives, its answer does not. The page finds the job.",
    draft: { variations: 2, prompt: "A lemon in a message in a bottle" },
    prepare: loseNextAnswer,
  },
];

/** The hint goes when there was time to read it: by then it may have been followed. */
const hintMs = 6_000;

interface TrialsProps {
  readonly onTry: (draft: Partial<Draft>) => void;
}

/** Orders to try out that fill the form: each shows how the page tells what went wrong. */
export const Trials = ({ onTry }: TrialsProps) => {
  const [filled, setFilled] = useState<string>();
  return (
    <details className="trials card">
      <summary>See what goes wrong</summary>
      <ul>
        {trials.map(({ title, about, draft, prepare }) => (
          <li key={title}>
            <button
              type="button"
              onClick={async () => {
                await prepare?.();
                onTry(draft);
                setFilled(title);
                setTimeout(setFilled, hintMs, undefined);
              }}
            >
              <strong>{title}</strong>
              <span className="soft">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="soft">
        {filled !== undefined && `The form is filled in for “${filled}”. Now order it.`}
      </p>
    </details>
  );
};
