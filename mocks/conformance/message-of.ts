/** Describes an error, with its causes: `fetch` says no more than that it failed. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${messageOf(cause)}` : message;
};
