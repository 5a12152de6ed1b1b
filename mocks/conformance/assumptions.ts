/** One assumption about the API, and the part that client and mock take in it. */
interface AssumedBehaviour {
  /** Sentence that the API's document does not say, and that contract and mock say in its place. */
  readonly assumed: string;
  /** Dependence of the client on it; absent where there is none. */
  readonly client?: string;
  /** Behaviour of the mock, or its option; absent where the sentence says all. */
  readonly mock?: string;
}

// biome-ignore format: one row a line
const table = {
  A1: { assumed: "The body's field that selects the action is `action`.", client: "sends it", mock: "reads it" },
  A2: { assumed: "Parameters are called `prompt`, `images`, `variations`, `duration` (seconds) and `brand_id`; there may be others. `variations` is an integer from 1 to 10; absent means 1. A job's `brand_id`, when given, must be one of the caller's brands. `null` is a wrong value, not an absent one. For pictures and texts, `duration` may be any number and is ignored; for videos see A11.", client: "types them; sends others as given", mock: "checks them; of others it reads `aspect_ratio` and `size`" },
  A3: { assumed: "`GET /v1/jobs/:id` answers the job itself: `job_id`, `status`, `action`, `created_at`.", client: "needs `status`; a `job_id`, when present, must be the requested one; keeps other fields" },
  A4: { assumed: "A list is `{ jobs: […] }`, `{ brands: […] }` or `{ ads: […] }`, newest first; `limit` is a query parameter, a whole number from 1 on. Without one, `GET /v1/jobs` lists the newest 100 jobs; the other lists are whole. Each item is the whole thing: a job comes with its result.", client: "also takes a bare array, or exactly one array under another name (an empty one only as `items`, `data` or `results`)", mock: "newest first" },
  A5: { assumed: "A brand has `id`, `name`, `created_at`, `updated_at` and all fields that were sent; creating one needs `name`, which may be any text.", client: "needs `id`; other fields are open", mock: "`id`, `created_at`, `updated_at` and all fields that were sent" },
  A6: { assumed: "A saved ad has `id`, `brand_id`, `created_at` and all fields that were sent; `brand_id` must be one of the caller's brands. A `job_id` may be any text.", client: "needs `id`; other fields are open", mock: "checks `brand_id`, and no `job_id`" },
  A7: { assumed: "PATCH answers 200 with the brand, DELETE 200 with `{ id, deleted: true }`.", client: "takes any 2xx; for a DELETE also an answer without a body, or with `data: null`" },
  A8: { assumed: "A failed job gives the reason in `error`.", client: "hands it on", mock: "sets it" },
  A9: { assumed: "Results are in `result`: `{ images: [{ url, width, height }] }`, `{ videos: [{ url, duration }] }` or `{ copy: [{ headline, primary_text, description, call_to_action }] }`, one entry for each variation.", client: "keeps the whole result, typed by your schema", mock: "`pictureFormat`; pictures of 1080 × 1080 pixels and MP4 videos of 384 × 216, unless `aspect_ratio`, `size` or the prompt names a shape" },
  A10: { assumed: 'A job that is unfinished 30 minutes after its submission becomes `failed`, with the error "Job expired". Finished jobs stay.', client: "a failed job, 404, 410, an unknown status or silence: each ends the wait, by the deadline at the latest", mock: "`expiry`" },
  A11: { assumed: "A video job may have variations. Each costs a price a second, by model, times the duration, rounded up to whole credits, at least 1. The duration is 5 seconds when none is given, at most 60.", client: "its types have one video for each job", mock: "`videoPrices`" },
  A12: { assumed: "API keys may begin with anything.", client: "checks it only with `apiKeyPrefix`", mock: "`apiKeyPrefix`" },
  A13: { assumed: "Credits are charged at submission, and a failed job is not paid back.", mock: "`refundFailedJobs`" },
  A14: { assumed: "The order of checks: 401, 404 for the path, 405 for the method, 400 for body, action and parameters, 404 for the brand, 402." },
  A15: { assumed: "The words of error messages, except the one for an unsupported action.", client: "never depends on them", mock: "one table in `mocks/domain`" },
  A16: { assumed: "The id of another account's thing is the same 404 as an unknown id." },
  A17: { assumed: "The ads of a deleted brand can still be deleted by id; listing them is a 404." },
  A18: { assumed: "The body of a webhook is not documented; webhooks are no part of this description.", client: "does not use webhooks; it polls", mock: "sends none" },
  A19: { assumed: "Monthly credits are renewed each month after the account was opened; unused old ones lapse.", mock: "`renewal`" },
  A20: { assumed: "The scheme `Bearer` may be written in any case, with several spaces or tabs after it. A 401 has `WWW-Authenticate: Bearer`.", client: "sends `Bearer`, one space and the key", mock: "reads one `Authorization` header: the HTTP server takes the first of two, `fetch` joins them to a wrong key" },
  A21: { assumed: "A path with a method that it does not have, such as OPTIONS, is a 405 with `Allow`. HEAD answers as GET, without the body. Paths are exact: other letters, a slash at the end, a doubled slash or an encoded letter outside of an id are a 404. Ids may be encoded.", client: "encodes ids; takes slashes off the end of `baseUrl`", mock: "answers `/v1` below any prefix, or below `baseUrl` alone. A HEAD counts as a poll. MSW handlers take the documented methods alone; others are unhandled requests" },
  A22: { assumed: "A body is JSON in UTF-8, whatever `Content-Type` says. Unknown parameters of a query are ignored.", client: "sends `application/json`", mock: "looks at no other header than `Authorization`, so a compressed body is a 400. So is one of more than 64 levels, or 50,000 names, objects and lists. One of more than 16 MiB is a 413, before all other checks" },
  A23: { assumed: "An answer may have `Retry-After`, the number of seconds to wait before asking again, and `x-request-id`, which identifies the exchange.", client: "keeps to `Retry-After` within the limits of its calls and waits; hands `x-request-id` on", mock: "sends `Retry-After` by its timeline on a 202 and with unfinished jobs, and on a 429; sends `x-request-id` always" },
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
