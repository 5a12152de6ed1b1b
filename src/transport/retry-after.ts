/** The two forms of an HTTP date that end in GMT (RFC 9110, section 5.6.7). */
const gmtDate = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](\d\d){1,2} \d\d:\d\d:\d\d GMT$/;

/** The third form, C's asctime. It names no zone, and means GMT too. */
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Reads an HTTP date; NaN when it is none. Alone, `Date.parse` makes dates of other texts too. */
const parseHttpDate = (text: string): number => {
  if (gmtDate.test(text)) return Date.parse(text.replaceAll("-", " "));
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
};

/** The longest wait that a number tells apart. */
const longestWaitMs = 2 ** 53;

/**
 * Reads `Retry-After`, seconds or a date, as milliseconds; `undefined` when there is none to make
 * sense of. A date is compared with the answer's own `Date`: this machine's clock may be wrong.
 */
export const parseRetryAfter = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, longestWaitMs);
  const now = parseHttpDate(headers.get("date") ?? "") || Date.now();
  const waitMs = parseHttpDate(value) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
};
