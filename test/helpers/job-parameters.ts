/**
 * Parameters of a submission beside `action`, by the kind of the action. The type tests compare this
 * with the types of requests, and the tests of the guides with the client's guide.
 */
export const jobParameters = {
  image: ["prompt", "images", "variations", "brand_id"],
  video: ["prompt", "images", "duration", "brand_id"],
  copy: ["prompt", "images", "variations", "brand_id"],
} as const;
