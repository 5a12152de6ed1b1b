/** Prints lines below their titles, each column as wide as its widest cell. */
export const printTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): void => {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [titles, ...rows]) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.log(cells.join("  ").trimEnd());
  }
};
