/** One assumption about the API, and what the client and the mock do with it. */
interface AssumedBehaviour {
  /** What we assume, in a sentence, because the API's document does not say it. */
  readonly assumed: string;
  /** How the client depends on the assumption; absent where it doesn't. */
  readonly client?: string;
  /** Behaviour of the mock, or its option; absent where the sentence says all. */
  readonly mock?: string;
}

// biome-ignore format: one row a line
const table = {
  A1: { assumed: "The body's field that selects the action is `action`.", client: "sends it", mock: "reads it" },
  A2: { assumed: "Parameters are called `prompt`, `images`, `variations`, `duration` (seconds) and `brand_id`; there may be others. `variations` is an integer from 1 to 10; absent means 1. `brand_id`, when given, must be one of the caller's brands. `null` is a wrong value, not an absent one. `duration` matters only for videos (A11).", client: "types them; sends others as given", mock: "checks them" },
  A3: { assumed: "`GET /v1/jobs/:id` answers the job itself: `job_id`, `status`, `action`, `created_at`.", client: "needs `status`; a `job_id`, when present, must be the requested one; a `created_at` before a submission rules a job out as its candidate; keeps other fields" },
  A4: { assumed: "A list is `{ jobs: […] }`, `{ brands: […] }` or `{ ads: […] }`, newest first, of whole things: a job comes with its result. The query may have a `limit`, a whole number from 1 on. Without one, `GET /v1/jobs` lists the newest 100 jobs; the other lists are complete.", client: "also takes a bare array, or the only array under another name (if empty, only `items`, `data` or `results`)" },
  A5: { assumed: "A brand has `id`, `name`, `created_at`, `updated_at` and all fields that were sent; creating one needs a `name`, which may be any text.", client: "needs `id`; other fields are open" },
  A6: { assumed: "A saved ad has `id`, `brand_id`, `created_at` and all fields that were sent; `brand_id` must be one of the caller's brands. A `job_id` may be any text.", client: "needs `id`; other fields are open" },
  A7: { assumed: "PATCH answers 200 with the brand, DELETE 200 with `{ id, deleted: true }`.", client: "takes any 2xx; on DELETE also no body, or `data: null`" },
  A8: { assumed: "A failed job gives the reason in `error`.", client: "hands it on", mock: "sets it" },
  A9: { assumed: "Results are in `result`: `{ images: [{ url, width, height }] }`, `{ videos: [{ url, duration }] }` or `{ copy: [{ headline, primary_text, description, call_to_action }] }`, one entry per variation.", client: "keeps all of it, typed by your schema" },
  A10: { assumed: 'A job unfinished 30 minutes after its submission becomes `failed`, with the error "Job expired". Finished jobs stay.', client: "ends the wait on failed, 404, 410, or at the deadline", mock: "`expiry`" },
  A11: { assumed: "A video job may have variations. Each costs its duration times the model's price per second, rounded up to whole credits, at least 1. The duration is 5 seconds when none is given, at most 60.", client: "types one video per job", mock: "`videoPrices`" },
  A12: { assumed: "API keys may begin with anything.", client: "checks the start only with `apiKeyPrefix`", mock: "`apiKeyPrefix`" },
  A13: { assumed: "Credits are charged at submission, and a failed job is not refunded.", mock: "`refundFailedJobs`" },
  A14: { assumed: "The order of checks: 401, 404 for the path, 405 for the method, 400 for body, action and parameters, 404 for the brand, 402." },
  A15: { assumed: "The wording of error messages, except the one for an unsupported action.", client: "never depends on it" },
  A16: { assumed: "The id of another account's thing is the same 404 as an unknown id." },
  A17: { assumed: "The ads of a deleted brand can still be deleted by id; listing them is a 404." },
  A18: { assumed: "The body of a webhook is not documented; webhooks are no part of this description.", client: "polls instead", mock: "sends none" },
  A19: { assumed: "Monthly credits renew each month after the account was opened; what is left of the old ones lapses.", mock: "`renewal`" },
  A20: { assumed: "The scheme `Bearer` may be written in any case, with several spaces or tabs after it. A 401 has `WWW-Authenticate: Bearer`.", client: "sends `Bearer`, one space and the key" },
  A21: { assumed: "A method that a path does not have, such as OPTIONS, is a 405 with `Allow`. HEAD answers as GET, without the body. Paths are exact, case and slashes included; only ids may be encoded. Others are a 404.", client: "encodes ids; drops trailing slashes of `baseUrl`", mock: "answers `/v1` below any prefix, or only below `baseUrl`; counts HEAD as a poll" },
  A22: { assumed: "A body is JSON in UTF-8, whatever `Content-Type` says. Unknown query parameters are ignored.", client: "sends `application/json`", mock: "answers 400 to compressed bodies and to JSON of over 64 levels, 413 to over 16 MiB" },
  A23: { assumed: "An answer may have `Retry-After`, in seconds, and `x-request-id`, which identifies the exchange.", client: "keeps to `Retry-After` within its limits; hands `x-request-id` on", mock: "always sends `x-request-id`; `Retry-After` on a 202, a 429 and unfinished jobs" },
} as const satisfies Readonly<Record<string, AssumedBehaviour>>;

/** Number of an assumption. */
export type Assumption = keyof typeof table;

/** Assumptions by number: the one source of the OpenAPI document and of the docs' table. */
export const assumptions: Readonly<Record<Assumption, AssumedBehaviour>> = table;

/** Renders the table of `docs/service/documented-and-assumed.md`, in Markdown. */
export const assumptionsTable = (): string =>
  [
    "| # | assumed | client | mock |",
    "| --- | --- | --- | --- |",
    ...Object.entries(assumptions).map(([number, { assumed, client, mock }]) =>
      [number, assumed, client, mock, ""].map((cell) => (cell ? `| ${cell}` : "|")).join(" "),
    ),
  ].join("\n");
