import type { JobRecord } from "./job-timeline.ts";

/** Views of finished jobs. A finished job never changes, so its view need not be made again. */
export interface KeptViews<View> {
  /** Finds the view that was made with picture URLs of this origin. */
  get(job: JobRecord, origin: string): View | undefined;
  /** Keeps a view in the place of an older one of the same job. */
  set(job: JobRecord, origin: string, view: View): void;
}

interface Kept<View> {
  readonly origin: string;
  readonly view: View;
}

/** Makes a store of views. It holds two generations, each of at most so many pictures. */
export const createKeptViews = <View>(maxPictures: number): KeptViews<View> => {
  // Weak maps, because the views of a world that was reset must not outlive its jobs.
  let recent = new WeakMap<JobRecord, Kept<View>>();
  let older = new WeakMap<JobRecord, Kept<View>>();
  let pictures = 0;

  return {
    get: (job, origin) => {
      const kept = recent.get(job) ?? older.get(job);
      return kept?.origin === origin ? kept.view : undefined;
    },
    set: (job, origin, view) => {
      if (pictures >= maxPictures) {
        [older, recent] = [recent, new WeakMap()];
        pictures = 0;
      }
      pictures += job.variations;
      recent.set(job, { origin, view });
    },
  };
};
