/** What is thrown at an option that makes no sense; `option` is its name, as the caller wrote it. */
export const refusal = (option: string, expected: string): TypeError =>
  new TypeError(`The mock's ${option} must be ${expected}`);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A misspelt option would otherwise be a default that nobody notices. */
export const requireKnown = (option: string, value: unknown, known: readonly string[]): void => {
  if (!isRecord(value)) throw refusal(option, "an object");
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw refusal(option, `an object of ${known.join(", ")}; it has "${unknown}"`);
  }
};

export const requireOneOf = (option: string, value: unknown, allowed: readonly string[]): void => {
  if (!allowed.includes(value as string)) {
    throw refusal(option, allowed.map((choice) => `"${choice}"`).join(" or "));
  }
};

export const requireNumber = (
  option: string,
  value: unknown,
  expected: string,
  isRight: (value: number) => boolean,
): void => {
  if (typeof value !== "number" || !isRight(value)) throw refusal(option, expected);
};
