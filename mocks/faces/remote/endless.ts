/** Numbers of a plan that may have no end. JSON has `null` for them. */
const endless = ["times", "remaining", "takesMs"];

/** Reads a planned fault or outcome, whose numbers without an end are `null` in JSON. */
export const readPlanned = <Planned extends object>(planned: Planned): Planned =>
  Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [
      name,
      value === null && endless.includes(name) ? Number.POSITIVE_INFINITY : value,
    ]),
  ) as Planned;
