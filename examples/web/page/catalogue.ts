import type { Action, JobRequest, VideoAction } from "adgen-sdk";

/** An action in words. */
export interface Offer {
  readonly action: Action;
  readonly title: string;
  readonly about: string;
}

/** All nine actions of the service. */
export const catalogue: readonly Offer[] = [
  { action: "generate-ad", title: "New ad", about: "Makes ads from your words." },
  { action: "copy-ad", title: "Copy an ad", about: "Makes ads after one that exists." },
  { action: "edit-ad", title: "Edit an ad", about: "Swaps text or logos, resizes, enhances." },
  { action: "image-a-2", title: "Picture", about: "Makes pictures of anything." },
  { action: "image-a-pro", title: "Picture pro", about: "Makes pictures by the pro tier." },
  { action: "generate-ad-copy", title: "Ad text", about: "Writes headline, text and call." },
  { action: "video-a-2", title: "Video", about: "Makes a short film." },
  { action: "video-a-2-pro", title: "Video pro", about: "Makes a premium film in HD." },
  { action: "video-b-3-0", title: "Video B 3.0", about: "Makes a film by another model." },
];

/** Names an action; one that the page does not know keeps the service's own word. */
export const titleOf = (action: string): string =>
  catalogue.find((offer) => offer.action === action)?.title ?? action;

/** Credits a second. The API's document does not tell them: these are the mock's. */
const pricePerSecond: Readonly<Record<VideoAction, number>> = {
  "video-a-2": 1,
  "video-a-2-pro": 2,
  "video-b-3-0": 3,
};

/** Tells whether an action makes a video. */
export const isVideo = (action: Action): action is VideoAction => action in pricePerSecond;

/** Tells whether an action begins with a picture that exists. */
export const needsPicture = (action: Action): boolean =>
  action === "copy-ad" || action === "edit-ad";

/** Price of one picture, or of one second, in credits. */
const unitPriceOf = (action: Action): number => {
  if (action === "generate-ad-copy") return 0;
  return isVideo(action) ? pricePerSecond[action] : 1;
};

/** Writes a number of credits. */
export const credits = (count: number): string => `${count} ${count === 1 ? "credit" : "credits"}`;

/** Tells the price of an action in a few words. */
export const priceOf = (action: Action): string => {
  const price = unitPriceOf(action);
  if (price === 0) return "Free";
  return `${credits(price)} ${isVideo(action) ? "/ s" : "each"}`;
};

/** The form's fields, those of other actions included. */
export interface Draft {
  readonly action: Action;
  readonly prompt: string;
  readonly variations: number;
  readonly duration: number;
  readonly picture: string;
}

/** Tells the credits that a draft costs. */
export const costOf = ({ action, variations, duration }: Draft): number =>
  unitPriceOf(action) * (isVideo(action) ? duration : variations);

/** Makes the request of a draft: each action takes its own fields. */
export const toRequest = (draft: Draft): JobRequest => {
  const { action, prompt, variations, duration, picture } = draft;
  if (isVideo(action)) return { action, prompt, duration };
  if (!needsPicture(action) || picture === "") return { action, prompt, variations };
  return { action, prompt, variations, images: [picture] };
};
