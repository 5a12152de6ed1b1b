import type { Action } from "adgen-sdk";
import { catalogue, isVideo, priceOf } from "./catalogue.ts";

/** Lines of the drawings of a film, a text and a picture. */
const drawingOf = (action: Action): string => {
  if (isVideo(action)) return "M3 5h14v10H3zM8.5 8v4l3.5-2z";
  if (action === "generate-ad-copy") return "M4 5h12M4 8.5h12M4 12h12M4 15.5h7";
  return "M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13.5 7.5h.01";
};

interface ActionChoiceProps {
  readonly chosen: Action;
  readonly onChoose: (action: Action) => void;
}

/** All nine actions, each with its price. */
export const ActionChoice = ({ chosen, onChoose }: ActionChoiceProps) => (
  <fieldset className="offers">
    <legend>What should we make?</legend>
    {catalogue.map(({ action, title }) => (
      <label key={action} className="offer">
        <input
          type="radio"
          name="action"
          value={action}
          checked={action === chosen}
          onChange={() => onChoose(action)}
        />
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={drawingOf(action)} />
        </svg>
        <span className="offer-title">{title}</span>{" "}
        <span className="offer-price">{priceOf(action)}</span>
      </label>
    ))}
    <p className="soft" aria-live="polite">
      {catalogue.find(({ action }) => action === chosen)?.about}
    </p>
  </fieldset>
);
