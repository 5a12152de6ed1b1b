let segmenter: Intl.Segmenter | undefined;

/** Code units behind the limit that show where its last grapheme ends. */
const lookAhead = 64;

/**
 * Cuts a text to so many graphemes, with "…" for its end. Never cuts within a grapheme, so emoji of
 * several code points stay whole.
 *
 * @param maxLength - Limit of the result's length in code units, because a grapheme has no limit
 */
export const cutText = (text: string, maxGraphemes: number, maxLength: number): string => {
  const most = Math.min(maxGraphemes, maxLength);
  if (text.length <= most) return text;
  // Each of these characters is a grapheme.
  if (/^[ -~]*$/.test(text.slice(0, most + 1))) return `${text.slice(0, most)}…`;
  let count = 0;
  // The first segmenter costs 10 ms or more, so only a long text makes it.
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const start = text.slice(0, maxLength + lookAhead);
  for (const { segment, index } of segmenter.segment(start)) {
    if (count === maxGraphemes || index + segment.length > maxLength) {
      return `${text.slice(0, index)}…`;
    }
    count += 1;
  }
  return text;
};
