/**
 * Types of files, and the ending of each. Nothing else is saved: a foreign server must not choose
 * the ending of a file.
 */
const mediaTypes = [
  ["image/jpeg", ".jpg"],
  ["image/png", ".png"],
  ["image/webp", ".webp"],
  ["image/gif", ".gif"],
  ["image/avif", ".avif"],
  ["image/svg+xml", ".svg"],
  ["video/mp4", ".mp4"],
  ["video/webm", ".webm"],
  ["video/quicktime", ".mov"],
] as const;

export const endings: readonly string[] = mediaTypes.map(([, ending]) => ending);

export const endingOf = (type: string): string | undefined =>
  mediaTypes.find(([one]) => one === type)?.[1];

/** Type by the ending of a name. */
export const typeOfName = (name: string): string | undefined => {
  const lower = name.toLowerCase().replace(/\.jpeg$/, ".jpg");
  return mediaTypes.find(([, ending]) => lower.endsWith(ending))?.[0];
};
