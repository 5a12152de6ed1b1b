import type { Action } from "adgen-sdk";
import { catalogue, priceOf } from "./catalogue.ts";

interface ActionChoiceProps {
  readonly chosen: Action;
  readonly onChoose: (action: Action) => void;
}

/** All nine actions, each with its price. */
export const ActionChoice = ({ chosen, onChoose }: ActionChoiceProps) => (
  <div className="shelves">
    {catalogue.map(({ title, offers }) => (
      <fieldset key={title}>
        <legend>{title}</legend>
        {offers.map(({ action, title: name, about }) => (
          <label key={action} className="offer" title={about}>
            <input
              type="radio"
              name="action"
              value={action}
              checked={action === chosen}
              onChange={() => onChoose(action)}
            />
            <span className="offer-title">{name}</span>
            <span className="offer-price">{priceOf(action)}</span>
          </label>
        ))}
      </fieldset>
    ))}
  </div>
);
