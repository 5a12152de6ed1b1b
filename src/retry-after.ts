/**
 * `Retry-After`, seconds or a date, in milliseconds; `undefined` when there is none to make
 * sense of. A date is compared with the answer's own `Date`: this machine's clock may be wrong.
 */
export const parseRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = value.endsWith(" GMT") ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Date.parse(headers.get("date") ?? "") || Date.now()));
};
