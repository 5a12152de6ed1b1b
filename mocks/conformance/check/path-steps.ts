import { assumedMessages } from "../../domain/messages.ts";
import { header, refused, type Step, step } from "./step.ts";

const notFound = refused(404, "A14", assumedMessages.endpointNotFound);

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
] as const;

const otherMethods = [
  ["PUT /v1/jobs", "POST, GET, HEAD"],
  ["PATCH /v1/jobs/unknown", "GET, HEAD"],
  ["DELETE /v1/jobs/unknown", "GET, HEAD"],
  ["GET /v1/brands/unknown", "PATCH, DELETE"],
  ["POST /v1/brands/unknown/ads", "GET, HEAD"],
  ["GET /v1/saved-ads", "POST"],
  ["GET /v1/saved-ads/unknown", "DELETE"],
  ["PATCH /v1/saved-ads/unknown", "DELETE"],
] as const;

/** Paths and methods that the API's document does not have. */
export const pathSteps: readonly Step[] = [
  ...calls.map((call) => step(`does not know ${call}`, call, notFound)),
  ...otherMethods.map(([call, allowed]) =>
    step(`does not allow ${call}`, call, [
      ...refused(405, "A21", assumedMessages.methodNotAllowed),
      header("allow", "the methods of the path", "A21", 405, (value) => value === allowed),
    ]),
  ),
];
