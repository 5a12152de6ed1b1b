import type { MockAccount, MockAccountOptions, Timeline } from "adgen-sdk/mocks";
import type { LimitUsage, OwnerLimits } from "adgen-sdk/proxy";

/** Amounts that each person may use in a day. */
export const limits: OwnerLimits = { day: { jobs: 20, imageCredits: 20, videoSeconds: 30 } };

/** Credits of the one account that all people share. */
export const credits = {
  image: { monthly: 30, purchased: 30 },
  video: { monthly: 50, purchased: 0 },
} satisfies MockAccountOptions["credits"];

/** Times that the mock's jobs take: long enough to watch them, and never quite the same. */
export const timeline: Timeline = {
  default: { queuedMs: { min: 800, max: 1_800 }, processingMs: { min: 4_000, max: 7_000 } },
  "generate-ad-copy": { queuedMs: 500, processingMs: { min: 1_500, max: 2_500 } },
  "video-a-2": { queuedMs: 1_000, processingMs: { min: 7_000, max: 10_000 } },
  "video-a-2-pro": { queuedMs: 1_500, processingMs: { min: 9_000, max: 13_000 } },
  "video-b-3-0": { queuedMs: 1_500, processingMs: { min: 11_000, max: 16_000 } },
};

/** The amounts that are left, as the page shows them. */
export interface Balance {
  /** Limits of the person who asks, used so far. */
  readonly limits: readonly LimitUsage[];
  /** Credits of the account, which all people share. */
  readonly credits: { readonly image: number; readonly video: number };
}

/** Reads the credits of the mock's account. The API itself has no call that tells them. */
export const readCredits = ({ credits: { image, video } }: MockAccount): Balance["credits"] => ({
  image: image.monthly + image.purchased,
  video: video.monthly + video.purchased,
});
