/*
 * The contract: the API of the Ad Generation Service as data, which client, proxy and mock read. It
 * imports zod and nothing else of the package; only types of the client's public face are allowed.
 */

/** The nine documented actions, in the order of the document's table. */
export const actions = [
  "copy-ad",
  "generate-ad",
  "edit-ad",
  "generate-ad-copy",
  "image-a-2",
  "image-a-pro",
  "video-a-2",
  "video-a-2-pro",
  "video-b-3-0",
] as const satisfies readonly Action[];

/**
 * Kind of generation that a job runs, in the service's own words:
 * - `"copy-ad"`, `"generate-ad"`, `"edit-ad"`, `"image-a-2"`, `"image-a-pro"` make pictures, and
 *   cost an image credit for each variation;
 * - `"video-a-2"`, `"video-a-2-pro"`, `"video-b-3-0"` make a video, and cost video credits by model
 *   and duration;
 * - `"generate-ad-copy"` writes ad text, and is free.
 *
 * @see API v1, section 2 "Job actions"
 */
export type Action = ImageAction | VideoAction | CopyAction;

/** Actions that make pictures; one variation costs one image credit. */
export type ImageAction = "copy-ad" | "generate-ad" | "edit-ad" | "image-a-2" | "image-a-pro";

/** Actions that make videos; the price depends on model and duration. */
export type VideoAction = "video-a-2" | "video-a-2-pro" | "video-b-3-0";

/** The action that writes ad text; it is free. @inline */
export type CopyAction = "generate-ad-copy";

/** The two kinds of credit an account holds. */
export type CreditKind = "image" | "video";

/** Kind of credit that each action is paid with; `null` means that it is free. */
export const creditOfAction: Readonly<Record<Action, CreditKind | null>> = {
  "copy-ad": "image",
  "generate-ad": "image",
  "edit-ad": "image",
  "generate-ad-copy": null,
  "image-a-2": "image",
  "image-a-pro": "image",
  "video-a-2": "video",
  "video-a-2-pro": "video",
  "video-b-3-0": "video",
};

export const isAction = (value: unknown): value is Action => actions.includes(value as Action);

/**
 * The documented price of a request. `variations` is `undefined` where the request's number makes
 * no sense.
 */
export interface Price {
  /**
   * Kind of credit. It is `null` for a free action, and `undefined` for an action that the document
   * does not name.
   */
  readonly credit: CreditKind | null | undefined;
  readonly variations: number | undefined;
}

/**
 * Returns the documented price of a request: an image action costs one credit for each variation.
 */
export const documentedPriceOf = ({
  action,
  variations = 1,
}: {
  readonly action?: unknown;
  readonly variations?: unknown;
}): Price => ({
  credit: isAction(action) ? creditOfAction[action] : undefined,
  variations:
    Number.isSafeInteger(variations) && Number(variations) >= 1 ? Number(variations) : undefined,
});

const prefix = "Invalid action. Supported: ";

/**
 * Returns the exact message with which the service refuses an unsupported action.
 *
 * @see API v1, section 7, rule 1
 */
export const unsupportedActionMessage = (supported: readonly string[] = actions): string =>
  prefix + supported.join(", ");

/** Reads the supported actions from that message. Returns `undefined` for any other message. */
export const parseSupportedActions = (message: string): readonly string[] | undefined =>
  message.startsWith(prefix) ? message.slice(prefix.length).split(", ") : undefined;
