import type { Brand } from "../contract/brands.ts";
import type { SavedAd } from "../contract/saved-ads.ts";
import { createTransport } from "./http/transport.ts";
import type { ClientOptions, ClientSchemas } from "./options/client-options.ts";
import { resolveConfig } from "./options/resolve-config.ts";
import { checkFor } from "./options/rules.ts";
import type { StandardSchema } from "./options/standard-schema.ts";
import { type BrandsResource, createBrandsResource } from "./resources/brands.ts";
import { createJobsResource, type JobsResource } from "./resources/jobs.ts";
import { createRecordedPost } from "./resources/recorded-post.ts";
import { createSavedAdsResource, type SavedAdsResource } from "./resources/saved-ads.ts";

/**
 * The output type of your schema of a kind, or `Open` if you gave no schema.
 *
 * @inline
 */
type KindOf<S, Kind extends string, Open> =
  S extends Readonly<Record<Kind, StandardSchema<unknown, infer Own>>> ? Own : Open;

/** A client of the service, with one namespace for each kind of resource. */
export interface AdGenClient<S extends ClientSchemas = ClientSchemas> {
  /** Generation jobs. */
  readonly jobs: JobsResource<S>;
  /** Brands, and the ads saved to them. */
  readonly brands: BrandsResource<KindOf<S, "brand", Brand>, KindOf<S, "savedAd", SavedAd>>;
  /** The library of saved ads. */
  readonly savedAds: SavedAdsResource<KindOf<S, "savedAd", SavedAd>>;
}

/**
 * Creates a client. Nothing is sent yet. The client holds no connection and needs no closing.
 *
 * @throws `AdGenError`
 * - `config`: an option is missing or makes no sense; the message names it.
 * @see API v1, section 5 "Authentication"
 * @example
 * const client = createClient({ baseUrl: "https://api.example.com", apiKey: "ak-..." });
 */
// biome-ignore lint/complexity/noBannedTypes: editors show it, and `Record<never, never>` says less
export const createClient = <const S extends ClientSchemas = {}>(
  options: ClientOptions<S> = {},
): AdGenClient<S> => {
  const config = checkFor(createClient, () => resolveConfig(options));
  const plain = createTransport(config);
  const transport = { ...plain, post: createRecordedPost(plain, config) };
  const client: AdGenClient = {
    jobs: createJobsResource(transport, config),
    brands: createBrandsResource(transport, config),
    savedAds: createSavedAdsResource(transport, config),
  };
  // The types come from the caller's schemas, and the resources check that responses fit them.
  return client as AdGenClient<S>;
};
