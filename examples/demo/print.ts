import { styleText } from "node:util";

/** A line in columns; the last cell is as wide as it likes. */
export const columns = (...cells: string[]): string =>
  cells
    .map((cell, place) => cell.padEnd(place === 0 ? 22 : 14))
    .join("")
    .trimEnd();

export const heading = (text: string): void => {
  console.log(`\n${styleText("bold", text)}`);
};

/** Indented by two: in a terminal that is where the icons of running tasks stand. */
export const row = (...cells: string[]): void => {
  console.log(`  ${columns(...cells)}`);
};
