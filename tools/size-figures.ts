/** The figures of the bundle in the documents: those of the limits, which a packaging test holds. */
import { maxBundleBytes, maxOwnBytes, maxRequiredBytes } from "./bundle-size.ts";

interface Figure {
  readonly path: string;
  /** The figure, between a group of the text before it and one of the text behind it. */
  readonly place: RegExp;
  readonly bytes: number;
}

export const sizeFigures: readonly Figure[] = [
  { path: "README.md", place: /(at most )[\d.]+( kB gzipped)/, bytes: maxBundleBytes },
  {
    path: "docs/guides/runtimes.md",
    place: /(The limit is )[\d.]+( kB)/,
    bytes: maxBundleBytes,
  },
  {
    path: "CONTRIBUTING.md",
    place: /("Create a client, submit, poll" has )[\d.]+( kB with everything inside)/,
    bytes: maxBundleBytes,
  },
  {
    path: "CONTRIBUTING.md",
    place: /(By `require` it has )[\d.]+( kB)/,
    bytes: maxRequiredBytes,
  },
  {
    path: "CONTRIBUTING.md",
    place: /(Our own code has )[\d.]+( kB of it)/,
    bytes: maxOwnBytes,
  },
];

/** Gives a document's text with the figures of today. A place that is gone throws. */
export const writeFigures = (
  path: string,
  text: string,
  figures: readonly Figure[] = sizeFigures,
): string => {
  let written = text;
  for (const { place, bytes } of figures.filter((figure) => figure.path === path)) {
    if (!place.test(written)) throw new Error(`${path} says nothing like ${place.source}`);
    written = written.replace(place, (_, before, behind) => `${before}${bytes / 1000}${behind}`);
  }
  return written;
};
