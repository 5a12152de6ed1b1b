/** What the API's document does not say, and what contract and mock say in its place. */
export const assumptions = {
  A1: "The body's field that selects the action is `action`.",
  A2: "Parameters are called `prompt`, `images`, `variations`, `duration` (seconds) and `brand_id`; there may be others. `variations` is an integer from 1 to 10, absent means 1. A job's `brand_id`, when given, must be one of the caller's brands.",
  A3: "GET /v1/jobs/:id answers the job itself: `job_id`, `status`, `action`, `created_at`.",
  A4: "A list is `{ jobs: […] }`, `{ brands: […] }` or `{ ads: […] }`, newest first; `limit` is a query parameter.",
  A5: "A brand has `id`, `name`, `created_at`, `updated_at` and whatever was sent; creating one needs `name`.",
  A6: "A saved ad has `id`, `brand_id`, `created_at` and whatever was sent; `brand_id` must be one of the caller's brands.",
  A7: "PATCH answers 200 with the brand, DELETE 200 with `{ id, deleted: true }`.",
  A8: "A failed job says why in `error`.",
  A9: "Results are in `result`: `{ images: [{ url, width, height }] }`, `{ videos: [{ url, duration }] }` or `{ copy: [{ headline, primary_text, description, call_to_action }] }`, one entry a variation.",
  A10: 'A job unfinished 30 minutes after its submission becomes `failed`, with the error "Job expired".',
  A11: "Video credits are a price a second, by model, times the duration; 5 seconds when none is given, at most 60.",
  A12: "What keys begin with.",
  A13: "Credits are charged at submission, and a failed job is not paid back.",
  A14: "The order of checks: 401, 404 for the path, 400 for the body, the action and the parameters, 404 for the brand, 402.",
  A15: "The words of error messages, that for an unsupported action excepted.",
  A16: "Somebody else's id is the same 404 as an unknown one.",
  A17: "The ads of a deleted brand can still be deleted by id; listing them is a 404.",
  A18: "The body of a webhook is not documented; webhooks are no part of this description.",
  A19: "Monthly credits are renewed each month after the account was opened; what is left of the old ones lapses.",
} as const;

/** The number of an assumption. */
export type Assumption = keyof typeof assumptions;
