import { useId } from "react";

interface AmountFieldProps {
  readonly label: string;
  readonly unit: readonly [one: string, many: string];
  readonly value: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** A number of pictures, texts or seconds. */
export const AmountField = ({ label, unit, value, max, onChange }: AmountFieldProps) => {
  const id = useId();
  const inWords = `${value} ${unit[value === 1 ? 0 : 1]}`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="amount">
        <input
          id={id}
          type="range"
          min={1}
          max={max}
          value={value}
          aria-valuetext={inWords}
          onChange={({ target }) => onChange(target.valueAsNumber)}
        />
        <output htmlFor={id}>{inWords}</output>
      </div>
    </div>
  );
};
