import * as z from "zod/mini";
import type { ArtworkFormat } from "../seeded/artwork.ts";
import { type FieldsOf, fieldsOnly, oneOf } from "./fields.ts";
import { requireFit } from "./require.ts";

/** Options of a picture or a video. */
export interface ArtworkOptions<Format extends ArtworkFormat = ArtworkFormat> {
  /**
   * "svg" gives text; of a video it is the poster, which moves. "png" gives the bytes of a picture
   * or a poster. "mp4" gives those of a video.
   * @default "svg"
   */
  readonly format?: Format;
}

const artworkSchema = fieldsOnly({
  format: z._default(oneOf(["svg", "png", "mp4"]), "svg"),
} satisfies FieldsOf<ArtworkOptions>);

/**
 * Gives the format that was asked for.
 *
 * @throws TypeError when it is none
 */
export const resolveFormat = (options: ArtworkOptions): ArtworkFormat =>
  requireFit("artwork options", artworkSchema, options, "artwork").format;
