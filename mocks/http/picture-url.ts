/** Path of all served pictures, below an origin. */
export const picturePath = "/__mock/artwork";

/** Makes the URLs of a job's served pictures; an empty origin gives paths. */
export const pictureUrl =
  (origin: string) =>
  ({ id }: { readonly id: string }, variation: number): string =>
    `${origin}${picturePath}/${id}/${variation}.svg`;
