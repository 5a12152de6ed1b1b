/** A picture in a result. */
export interface Picture {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

/** A film in a result. */
export interface Film {
  readonly url: string;
}

/** The text of an ad in a result. */
export interface AdText {
  readonly headline: string;
  readonly primary_text: string;
  readonly description: string;
  readonly call_to_action: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const listOf = <Entry>(value: unknown, field: keyof Entry): readonly Entry[] =>
  Array.isArray(value)
    ? value.filter((entry) => isObject(entry) && typeof entry[field as string] === "string")
    : [];

/**
 * Reads a result. The API's document does not show what it holds, so what looks otherwise is left
 * out. An app of yours may hand schemas to its client instead: see the guide of schemas.
 */
export const readResult = (result: unknown) => {
  const { images, videos, copy } = isObject(result) ? result : {};
  return {
    images: listOf<Picture>(images, "url"),
    videos: listOf<Film>(videos, "url"),
    copy: listOf<AdText>(copy, "headline"),
  };
};
