import type { StandardSchema } from "../client/options/standard-schema.ts";
import type { Action } from "../contract/actions.ts";
import { readySchema } from "./ready-schema.ts";

/** One picture of a result. Other fields are kept. @assumed A9 */
export interface AssumedImage {
  /** Address of the picture: a URL or a data URL. @assumed A9 */
  url: string;
  /** Width in pixels. @assumed A9 */
  width?: number;
  /** Height in pixels. @assumed A9 */
  height?: number;
}

/** Result of a job that makes pictures. Other fields are kept. @assumed A9 */
export interface AssumedImageResult {
  /** Pictures, one for each variation. @assumed A9 */
  images: AssumedImage[];
}

/** One video of a result. Other fields are kept. @assumed A9 */
export interface AssumedVideo {
  /** Address of the video: a URL or a data URL. @assumed A9 */
  url: string;
  /** Length in seconds. @assumed A9 */
  duration?: number;
}

/** Result of a job that makes videos. Other fields are kept. @assumed A9 */
export interface AssumedVideoResult {
  /** Videos, one for each variation. @assumed A9 */
  videos: AssumedVideo[];
}

/** Text of one ad in a result. Other fields are kept. @assumed A9 */
export interface AssumedAdCopy {
  /** Line above the ad. @assumed A9 */
  headline?: string;
  /** Text of the ad. @assumed A9 */
  primary_text?: string;
  /** Line below the headline. @assumed A9 */
  description?: string;
  /** Words of the button. @assumed A9 */
  call_to_action?: string;
}

/** Result of a job that writes ad text. Other fields are kept. @assumed A9 */
export interface AssumedCopyResult {
  /** Texts, one for each variation. @assumed A9 */
  copy: AssumedAdCopy[];
}

/** Schema for the result of a job that makes pictures. @assumed A9 */
export const assumedImageResult = readySchema<AssumedImageResult>("A9", {
  images: [{ url: "string", width: "number?", height: "number?" }],
});

/** Schema for the result of a job that makes videos. @assumed A9 */
export const assumedVideoResult = readySchema<AssumedVideoResult>("A9", {
  videos: [{ url: "string", duration: "number?" }],
});

/** Schema for the result of a job that writes ad text. @assumed A9 */
export const assumedCopyResult = readySchema<AssumedCopyResult>("A9", {
  copy: [
    {
      headline: "string?",
      primary_text: "string?",
      description: "string?",
      call_to_action: "string?",
    },
  ],
});

/**
 * Type of {@link assumedResults}: a schema for each action.
 *
 * @inline
 * @assumed A9
 */
export type AssumedResults = {
  /** Schema for the results of `copy-ad`. @assumed A9 */
  readonly "copy-ad": StandardSchema<unknown, AssumedImageResult>;
  /** Schema for the results of `generate-ad`. @assumed A9 */
  readonly "generate-ad": StandardSchema<unknown, AssumedImageResult>;
  /** Schema for the results of `edit-ad`. @assumed A9 */
  readonly "edit-ad": StandardSchema<unknown, AssumedImageResult>;
  /** Schema for the results of `generate-ad-copy`. @assumed A9 */
  readonly "generate-ad-copy": StandardSchema<unknown, AssumedCopyResult>;
  /** Schema for the results of `image-a-2`. @assumed A9 */
  readonly "image-a-2": StandardSchema<unknown, AssumedImageResult>;
  /** Schema for the results of `image-a-pro`. @assumed A9 */
  readonly "image-a-pro": StandardSchema<unknown, AssumedImageResult>;
  /** Schema for the results of `video-a-2`. @assumed A9 */
  readonly "video-a-2": StandardSchema<unknown, AssumedVideoResult>;
  /** Schema for the results of `video-a-2-pro`. @assumed A9 */
  readonly "video-a-2-pro": StandardSchema<unknown, AssumedVideoResult>;
  /** Schema for the results of `video-b-3-0`. @assumed A9 */
  readonly "video-b-3-0": StandardSchema<unknown, AssumedVideoResult>;
};

/**
 * Schemas of results by action, to hand in as `schemas: { results: assumedResults }`. The API's
 * document shows no result: each field is assumed.
 *
 * @assumed A9
 */
export const assumedResults: AssumedResults = {
  "copy-ad": assumedImageResult,
  "generate-ad": assumedImageResult,
  "edit-ad": assumedImageResult,
  "generate-ad-copy": assumedCopyResult,
  "image-a-2": assumedImageResult,
  "image-a-pro": assumedImageResult,
  "video-a-2": assumedVideoResult,
  "video-a-2-pro": assumedVideoResult,
  "video-b-3-0": assumedVideoResult,
} satisfies Readonly<Record<Action, StandardSchema>>;
