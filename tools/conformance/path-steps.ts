import { assumedMessages } from "../../mocks/domain/messages.ts";
import { assumed, refused, type Step, step } from "./step.ts";

const notFound = refused(404, assumed("A14"), assumedMessages.endpointNotFound);

const calls = [
  "GET /v1",
  "GET /v1/",
  "GET /v1/unknown",
  "GET /v2/jobs",
  "GET /V1/jobs",
  "GET /v1/Jobs",
  "GET /v1/jobs/",
  "GET /v1//jobs",
  "GET /v1/jobs/unknown/",
  "GET /v1/jobs/unknown/result",
  "GET /v1/%6Aobs",
  "PUT /v1/jobs",
  "PATCH /v1/jobs/unknown",
  "DELETE /v1/jobs/unknown",
  "GET /v1/brands/unknown",
  "POST /v1/brands/unknown/ads",
  "GET /v1/saved-ads",
  "GET /v1/saved-ads/unknown",
  "PATCH /v1/saved-ads/unknown",
] as const;

/** Paths and methods that the API's document does not have. */
export const pathSteps: readonly Step[] = calls.map((call) =>
  step(`does not know ${call}`, call, notFound),
);
