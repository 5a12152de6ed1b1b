import type { Action, LearnedDurations } from "adgen-sdk";

/** Times that jobs usually take, in seconds: at least, and at most. */
const usual: Readonly<Record<Action, readonly [least: number, most: number]>> = {
  "copy-ad": [5, 9],
  "generate-ad": [5, 9],
  "edit-ad": [5, 9],
  "generate-ad-copy": [2, 3],
  "image-a-2": [5, 9],
  "image-a-pro": [5, 9],
  "video-a-2": [8, 11],
  "video-a-2-pro": [10, 15],
  "video-b-3-0": [12, 18],
};

/** Number of made-up jobs for each action. */
const parts = 12;

/**
 * Teaches a client the usual times. It learns better ones from the jobs that it sees finish, but a
 * page that was just opened has seen none.
 */
export const teachUsualDurations = (durations: LearnedDurations): void => {
  for (const [action, [least, most]] of Object.entries(usual)) {
    const partMs = (1_000 * (most - least)) / parts;
    for (let part = 0; part < parts; part += 1) {
      const afterMs = 1_000 * least + part * partMs;
      durations.add(action, { afterMs, byMs: afterMs + partMs });
    }
  }
};
