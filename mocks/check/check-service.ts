/**
 * The steps of `adgen-mock check`. The client makes each documented call at least once, and each answer is
 * compared with the contract. A difference names the assumption that is wrong, or "document" if the service
 * doesn't do what the API's document says. It imports the client by the package's name.
 */
import { type AdGenClient, createClient, type Job, pollJob } from "adgen-sdk";
import { unsupportedActionMessage } from "../../src/contract/actions.ts";
import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { isJobStatus, type JobRequest } from "../../src/contract/jobs.ts";
import { createCheck } from "../../src/contract/schema.ts";

/** The service to check, and the limits of the check. */
export interface CheckTarget {
  readonly baseUrl: string;
  readonly key: string;
  /** Whether to make the one submission that costs a credit. */
  readonly spend: boolean;
  /** Maximum wait for a job, in milliseconds. */
  readonly waitMs: number;
}

/** The result of a step: one line of the report. */
export interface StepReport {
  readonly title: string;
  readonly outcome: "ok" | "differs" | "skipped";
  /** The differences, or why the step was skipped. */
  readonly notes: readonly string[];
  /** Assumptions that are wrong: "A5 a brand has a name". */
  readonly broken: readonly string[];
}

/** Says that nothing can be checked: no ad generation service answers, or it refuses the key. */
export class NoServiceError extends Error {
  override readonly name = "NoServiceError";
}

/** An answer, as it was received. */
interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; `undefined` if the body isn't JSON. */
  readonly json: unknown;
}

type Loose = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Loose => Object(value);

/** A claim about an answer, and who makes it: an assumption, or the API's document. */
type Claim = readonly [
  number: `A${number}` | "document",
  says: string,
  holds: (data: Loose, exchange: Exchange) => boolean,
];

/** What the steps share: the clients, and the ids of what they have created. */
interface State {
  readonly client: AdGenClient;
  readonly stranger: AdGenClient;
  readonly waitMs: number;
  readonly ids: { brand?: string; ad?: string; job?: string };
}

interface Step {
  readonly title: string;
  readonly call: EndpointName;
  readonly run: (state: State) => Promise<unknown>;
  /** Expected status of a refusal. @default a success is expected */
  readonly refused?: number;
  /** What an earlier step must have created. */
  readonly needs?: keyof State["ids"];
  readonly costs?: true;
  readonly claims?: readonly Claim[];
}

const hasTexts = (thing: unknown, ...names: string[]): boolean =>
  names.every((name) => typeof fieldsOf(thing)[name] === "string");

// biome-ignore format: one claim a line
const lists = (field: string): Claim => ["A4", `a list is { ${field}: [...] }`, (data) => Array.isArray(data[field])];
const queued: Claim = ["document", "a new job is queued", ({ status }) => status === "queued"];
// biome-ignore format: one claim a line
const deleted: Claim = ["A7", "a DELETE answers 200 with { id, deleted: true }", (data) => hasTexts(data, "id") && data["deleted"] === true];

// biome-ignore format: one claim a line
const aboutJobs = (list: string, ...fields: string[]): readonly Claim[] => [
  ["A3", "a job has job_id, status, action and created_at", (data) => hasTexts(data, "job_id", "status", "action", "created_at")],
  ["document", "a job is queued, processing, completed or failed", ({ status }) => isJobStatus(status)],
  ["A8", "a failed job gives the reason in error", (data) => data["status"] !== "failed" || hasTexts(data, "error")],
  ["A9", `a completed job has result: { ${list}: [{ ${fields.join(", ")} }] }`, ({ status, result }) => {
    const [first] = [fieldsOf(result)[list]].flat();
    return status !== "completed" || fields.every((name) => name in fieldsOf(first));
  }],
];

const submit =
  (request: JobRequest) =>
  async ({ client, ids }: State): Promise<void> => {
    delete ids.job;
    ids.job = (await client.jobs.submit(request)).job_id;
  };

const wait = ({ client, ids, waitMs }: State): Promise<Job> =>
  pollJob(client, ids.job ?? "", { timeoutMs: waitMs });

const copy = ["headline", "primary_text", "description", "call_to_action"] as const;
const unsupported = { action: "adgen-check" } as unknown as JobRequest;

/** The steps make each documented call, in an order that leaves nothing behind except at most two jobs. */
// biome-ignore format: one row a line
const steps: readonly Step[] = [
  { title: "lists the recent jobs", call: "jobs.list", run: ({ client }) => client.jobs.list(), claims: [lists("jobs")] },
  { title: "refuses a wrong key", call: "brands.list", refused: 401, run: ({ stranger }) => stranger.brands.list(), claims: [["A20", "a 401 has WWW-Authenticate: Bearer", (_, { headers }) => /^bearer/i.test(headers.get("www-authenticate") ?? "")]] },
  { title: "finds no job of another id", call: "jobs.get", refused: 404, run: ({ client }) => client.jobs.get("adgen-check-unknown") },
  { title: "refuses an unsupported action in the documented words", call: "jobs.submit", refused: 400, run: ({ client }) => client.jobs.submit(unsupported), claims: [["document", "the error lists the nine actions", (_, { json }) => fieldsOf(json)["error"] === unsupportedActionMessage()]] },
  { title: "makes a brand", call: "brands.create", run: async ({ client, ids }) => { ids.brand = (await client.brands.create({ name: "adgen-mock check" })).id; }, claims: [["A5", "a brand has id, name, created_at and updated_at", (data) => hasTexts(data, "id", "name", "created_at", "updated_at")]] },
  { title: "lists the brands", call: "brands.list", run: ({ client }) => client.brands.list(), claims: [lists("brands")] },
  { title: "changes the brand", call: "brands.update", needs: "brand", run: ({ client, ids }) => client.brands.update(ids.brand ?? "", { name: "adgen-mock check 2" }), claims: [["A7", "a PATCH answers with the brand", ({ name }) => name === "adgen-mock check 2"]] },
  { title: "saves an ad to the brand", call: "savedAds.create", needs: "brand", run: async ({ client, ids }) => { ids.ad = (await client.savedAds.create({ brand_id: ids.brand ?? "" })).id; }, claims: [["A6", "a saved ad has id, brand_id and created_at", (data) => hasTexts(data, "id", "brand_id", "created_at")]] },
  { title: "lists the brand's ads", call: "brands.listAds", needs: "brand", run: ({ client, ids }) => client.brands.listAds(ids.brand ?? ""), claims: [lists("ads")] },
  { title: "deletes the ad", call: "savedAds.delete", needs: "ad", run: ({ client, ids }) => client.savedAds.delete(ids.ad ?? ""), claims: [deleted] },
  { title: "deletes the brand", call: "brands.delete", needs: "brand", run: ({ client, ids }) => client.brands.delete(ids.brand ?? ""), claims: [deleted] },
  { title: "takes a free job, for ad copy", call: "jobs.submit", run: submit({ action: "generate-ad-copy", prompt: "Summer sale" }), claims: [queued] },
  { title: "finishes the free job", call: "jobs.get", needs: "job", run: wait, claims: aboutJobs("copy", ...copy) },
  { title: "takes a job for one image credit", call: "jobs.submit", costs: true, run: submit({ action: "generate-ad", prompt: "Summer sale" }), claims: [queued] },
  { title: "finishes the paid job", call: "jobs.get", needs: "job", costs: true, run: wait, claims: aboutJobs("images", "url", "width", "height") },
];

/** Shortens an answer for the report, and removes the key. */
const describeAnswer = (text: string, key: string): string => {
  const line = text.replaceAll(key, "<key>").replace(/\s+/g, " ").trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line || "no body";
};

/**
 * Returns the assumption about the fields of an answer. The API's document shows only the answer to a
 * submission.
 */
const fieldsBy = (call: EndpointName): string => {
  if (call === "jobs.submit") return "document";
  const [resource, method] = call.split(".");
  if (resource === "jobs") return method === "list" ? "A4" : "A3";
  return resource === "brands" && method !== "listAds" ? "A5" : "A6";
};

/** Compares an answer with the contract. Returns the differences, each with its assumption. */
const findMisfits = (
  { call, refused, claims = [] }: Step,
  exchange: Exchange,
): (readonly [number: string, words: string])[] => {
  const endpoint: Endpoint = endpoints[call];
  const { status, json } = exchange;
  const { success, data, error } = fieldsOf(json);
  const expected = refused ?? endpoint.status;
  if (status !== expected) {
    // The API's document shows no status for changes and deletions.
    const isAssumed = /\.(update|delete)$/.test(call) && status >= 200 && status < 300;
    return [[isAssumed ? "A7" : "document", `${call} answers ${expected}`]];
  }
  const isEnvelope = refused
    ? success === false && data === null && typeof error === "string"
    : success === true && typeof data === "object" && error === null;
  if (!isEnvelope) return [["document", "an answer is { success, data, error }"]];
  const broken = claims.filter(([, , holds]) => !holds(fieldsOf(data), exchange));
  if (broken.length > 0 || refused) return broken.map(([number, says]) => [number, says]);
  const things = endpoint.list === undefined ? [data] : [fieldsOf(data)[endpoint.list]].flat();
  const [misfit] = things.flatMap(createCheck(endpoint.answer));
  return misfit ? [[fieldsBy(call), `${call}: ${misfit.path.join(".")} ${misfit.message}`]] : [];
};

/**
 * Runs the steps one after the other, and yields a report for each.
 *
 * @throws NoServiceError when the first call shows that nothing can be checked
 */
export async function* checkService({
  baseUrl,
  key,
  spend,
  waitMs,
}: CheckTarget): AsyncGenerator<StepReport> {
  let last: Exchange | undefined;
  const record = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    const text = await response.clone().text();
    const { status, headers } = response;
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {}
    last = { status, headers, text, json };
    return response;
  };
  const clientOf = (apiKey: string) =>
    createClient({ baseUrl, apiKey, fetch: record, log: undefined });
  const [client, stranger] = [clientOf(key), clientOf(`${key}-wrong`)];
  const state: State = { client, stranger, waitMs, ids: {} };
  for (const step of steps) {
    const { title, call, needs, costs } = step;
    const report = (outcome: StepReport["outcome"], notes: string[], broken: string[] = []) => ({
      ...{ title, outcome, notes, broken },
    });
    const isMissing = needs !== undefined && state.ids[needs] === undefined;
    if (isMissing || (costs && !spend)) {
      yield report("skipped", [isMissing ? `there is no ${needs}` : "costs a credit: add --spend"]);
      continue;
    }
    last = undefined;
    const error = await step.run(state).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    const exchange = last as Exchange | undefined;
    const seen = exchange && `${exchange.status} ${describeAnswer(exchange.text, key)}`;
    if (step === steps[0] && fieldsOf(exchange?.json)["success"] !== true) {
      const isKeyRefused = exchange?.status === 401;
      throw new NoServiceError(
        isKeyRefused
          ? `The service at ${baseUrl} refuses the key`
          : `No ad generation service answers at ${baseUrl}: ${seen ?? error?.message}`,
      );
    }
    if (exchange === undefined) {
      yield report("differs", [`${call}: ${error?.message}`]);
      continue;
    }
    const differences = [...findMisfits(step, exchange)];
    if (differences.length === 0 && error !== undefined && step.refused === undefined) {
      differences.push(["document", error.message]);
    }
    yield report(
      differences.length === 0 ? "ok" : "differs",
      differences.map(([number, words]) => `${number}: ${words}; saw ${seen}`),
      differences.filter(([number]) => number !== "document").map((one) => one.join("  ")),
    );
  }
}
