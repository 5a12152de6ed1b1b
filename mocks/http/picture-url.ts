import { formatOf, type PictureFormat } from "../seeded/artwork.ts";
import type { MadeFrom } from "../seeded/made-from.ts";

/** Path of all served pictures and videos, below an origin. */
export const picturePath = "/__mock/artwork";

/** Makes the URLs of a job's served pictures and videos; an empty origin gives paths. */
export const pictureUrl =
  (origin: string, pictures: PictureFormat) =>
  (job: Pick<MadeFrom, "id" | "action">, variation: number): string =>
    `${origin}${picturePath}/${job.id}/${variation}.${formatOf(job, pictures)}`;
